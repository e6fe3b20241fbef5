package bt.examples.paper;

/** What a tablet server asks for a block that is in none of its memory. */
enum Below {
    /** A datanode, over TCP. */
    DATANODE,
    /** The datanode's file on the same machine, which HDFS's own client opens ("short-circuit"). */
    DATANODE_FILE,
    /** Its copy in a file of the server's own, if there is one. */
    LOCAL_CACHE
}
