package bt.examples.paper;

/** Where a tablet server has the blocks that are read. */
enum Below {
    /** In a datanode, over TCP: its block cache is far smaller than the data. */
    DATANODE,
    /** The same, in the datanode's file on the same machine, which HDFS's own client opens ("short-circuit"). */
    DATANODE_FILE,
    /** The same, in a copy in a file of the server's own, if there is one. */
    LOCAL_CACHE,
    /** In its block cache, all of them. */
    BLOCK_CACHE
}
