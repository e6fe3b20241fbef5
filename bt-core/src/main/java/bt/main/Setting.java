package bt.main;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;

/** Every key of {@code conf/bt.properties}, with its default and what {@code bt config} says of it. */
enum Setting {
    AT("at", "zk://127.0.0.1:29181/dev", "the cluster that commands talk to: zk://host:port[,host:port]/name"),
    ROOT("root", "", "where the cluster's files lie: an absolute URI such as hdfs://host:port/bt/name"),
    HOST("host", "127.0.0.1", "the address servers listen on; others reach only what listens on theirs"),
    MASTER_PORT("master.port", "0", "0 takes any free port; clients find it through ZooKeeper"),
    TABLET_SERVER_PORT("tabletserver.port", "0", "0 takes any free port; clients find it through METADATA"),
    THRIFT_PORT("thrift.port", "29090", "the gateway's port"),
    SESSION_MILLIS(
            "zookeeper.session.millis", "6000", "a process that ZooKeeper has not heard for so long has lost its lock"),
    LEASE_MILLIS("lease.millis", "6000", "a tablet server answers reads for so long after its last proven renewal"),
    FLUSH_BYTES("tabletserver.flush.bytes", "67108864", "a memtable of this size is written to an SSTable"),
    BLOCK_CACHE_BYTES("tabletserver.blockcache.bytes", "134217728", "decompressed SSTable blocks kept in memory"),
    SEGMENT_BYTES("log.segment.bytes", "67108864", "a commit log begins a new segment at this size"),
    YARN_QUEUE("yarn.queue", "default", "the queue that a cluster's application runs in"),
    YARN_MASTER_MB("yarn.master.mb", "512", "memory of the container of the application master and of the master"),
    YARN_TABLET_SERVER_MB("yarn.tabletserver.mb", "1024", "memory of a tablet server's container");

    private final String key;
    private final String defaultValue;
    private final String explanation;

    Setting(String key, String defaultValue, String explanation) {
        this.key = key;
        this.defaultValue = defaultValue;
        this.explanation = explanation;
    }

    String key() {
        return key;
    }

    String defaultValue() {
        return defaultValue;
    }

    String explanation() {
        return explanation;
    }

    static Optional<Setting> find(String key) {
        return Arrays.stream(values())
                .filter(setting -> setting.key.equals(key))
                .findFirst();
    }

    /** The key with the fewest edits to this one. */
    static Setting nearest(String key) {
        return Arrays.stream(values())
                .min(Comparator.comparingInt(setting -> Words.distance(key, setting.key)))
                .orElseThrow();
    }
}
