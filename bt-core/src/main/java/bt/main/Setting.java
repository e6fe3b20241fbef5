package bt.main;

import bt.base.RejectedException;
import bt.protocol.Address;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;

/** Every key of {@code conf/bt.properties}, with its default, what is allowed, and what {@code bt config} says of it. */
enum Setting {
    AT("at", "zk://127.0.0.1:29181/dev", "the cluster that commands talk to: zk://host:port[,host:port]/name"),
    ROOT(
            "root",
            "",
            "where the cluster's files lie: hdfs://host:port/path, or a directory of this machine if it is all there is"),
    HOST(
            "host",
            "127.0.0.1",
            "the address servers listen on, and are reached by; in a container of YARN the node's, unless told otherwise"),
    MASTER_PORT("master.port", 0, Range.PORT, "0 takes any free port; clients find it through ZooKeeper"),
    TABLET_SERVER_PORT("tabletserver.port", 0, Range.PORT, "0 takes any free port; clients find it through METADATA"),
    MASTER_ADVERTISED(
            "master.advertised.address",
            "",
            Range.ADDRESS,
            "host:port by which others reach the master, where that is not where it listens: behind a proxy, or NAT"),
    TABLET_SERVER_ADVERTISED(
            "tabletserver.advertised.address", "", Range.ADDRESS, "the same of a tablet server; each has its own"),
    THRIFT_PORT("thrift.port", 29090, Range.PORT, "the gateway's port"),
    SESSION_MILLIS(
            "zookeeper.session.millis",
            6_000,
            Range.PERIOD,
            "a process that ZooKeeper has not heard for so long has lost its lock"),
    LEASE_MILLIS(
            "lease.millis",
            6_000,
            Range.PERIOD,
            "a tablet server answers reads for so long after its last proven renewal; the same for every process"),
    UNDELETE_SECONDS(
            "undelete.seconds",
            7 * 86_400,
            Range.SECONDS,
            "a dropped table can come back for so long (bt undelete); then its data is deleted"),
    GARBAGE_SECONDS(
            "garbage.seconds",
            3_600,
            Range.SECONDS,
            "a file or log that no tablet needs is deleted after so long (bt gc); 0 is as 1"),
    RETURN_WAIT_MILLIS(
            "master.return.wait.millis",
            3_000,
            Range.WAIT,
            "tablets of a dead server wait so long, from its death, for another on the same host; 0: not at all"),
    FLUSH_BYTES("tabletserver.flush.bytes", 64 << 20, Range.BYTES, "a memtable of this size is written to an SSTable"),
    MEMTABLE_BYTES(
            "tabletserver.memtables.bytes", 256 << 20, Range.BYTES, "writes wait while all memtables are larger"),
    BLOCK_CACHE_BYTES(
            "tabletserver.blockcache.bytes", 128 << 20, Range.BYTES, "decompressed SSTable blocks kept in memory"),
    SCAN_CACHE_BYTES(
            "tabletserver.scancache.bytes", 32 << 20, Range.BYTES, "entries that reads of one row found in SSTables"),
    IN_MEMORY_BYTES(
            "tabletserver.inmemory.bytes",
            64 << 20,
            Range.BYTES,
            "SSTables of in-memory locality groups; what has no room is read as if its group were not in memory"),
    LOCAL_CACHE_BYTES(
            "tabletserver.localcache.bytes",
            4L << 30,
            Range.MAYBE_BYTES,
            "blocks of SSTables copied from HDFS to a local disk, as they lie there; 0: none"),
    LOCAL_CACHE_DIRECTORY(
            "tabletserver.localcache.directory",
            "",
            "where they are, in a file without a name; if empty, in YARN's directory of the container, or java.io.tmpdir"),
    COMPACTION_BYTES_PER_SECOND(
            "tabletserver.compaction.bytes.per.second",
            64 << 20,
            Range.BYTES,
            "merging and major compactions of a tablet server, all together, go no faster"),
    SPLIT_BYTES("tabletserver.split.bytes", 200 << 20, Range.BYTES, "a tablet with more in its files is split in two"),
    METADATA_SPLIT_BYTES(
            "tabletserver.metadata.split.bytes", 128 << 20, Range.BYTES, "the same for METADATA's tablets"),
    SERVED_BYTES(
            "tabletserver.tablets.bytes",
            0,
            Range.MAYBE_BYTES,
            "what a tablet server has in memory of tablets that nobody asks anything of; it loads no more beyond; 0: an eighth of its heap"),
    LOAD_SECONDS(
            "tabletserver.load.seconds",
            120,
            Range.SECONDS,
            "a tablet whose load does not get on for so long is given to another server"),
    STOP_SECONDS(
            "tabletserver.stop.seconds",
            600,
            Range.SECONDS,
            "a server that ends (SIGTERM) has its tablets moved for so long at most; what supervises it must wait a minute more"),
    TRACE_ONE_OF(
            "tabletserver.trace.one.of",
            100,
            Range.COUNT,
            "a trace is kept of one request of so many (bt traces shows the slowest); 0: of none"),
    MERGE_BYTES(
            "master.merge.bytes",
            40 << 20,
            Range.BYTES,
            "neighbouring tablets that are together smaller become one; keep it far below tabletserver.split.bytes"),
    MERGE_AFTER_MILLIS("master.merge.after.millis", 600_000, Range.PERIOD, "for so long they must have been as small"),
    SPLIT_REQUESTS_PER_SECOND(
            "master.split.requests.per.second",
            1_000,
            Range.WAIT,
            "of several servers' tablets one with more requests, and half a server's share, is split; 0: none is"),
    DRAIN_MOVES(
            "master.drain.moves",
            4,
            Range.AT_A_TIME,
            "from a server that drains so many tablets move at a time, each to another, where four times as many servers can take them"),
    TABLETS_BYTES(
            "master.tablets.bytes",
            0,
            Range.MAYBE_BYTES,
            "what a master knows of tables and tablets may take so much of its memory before no more are made; 0: a quarter of its heap"),
    SEGMENT_BYTES("log.segment.bytes", 64 << 20, Range.BYTES, "a commit log begins a new segment at this size"),
    YARN_QUEUE("yarn.queue", "default", "the queue that a cluster's application runs in"),
    YARN_MASTERS(
            "yarn.masters",
            2,
            Range.PROCESSES,
            "so many masters, on nodes of their own where there are as many: one is active, the others stand by"),
    YARN_MASTER_MB(
            "yarn.master.mb",
            512,
            Range.MEGABYTES,
            "memory of the container of the application master and of each master"),
    YARN_TABLET_SERVER_MB("yarn.tabletserver.mb", 1024, Range.MEGABYTES, "memory of a tablet server's container");

    private final String key;
    private final String defaultValue;
    private final Range range;
    private final String explanation;

    Setting(String key, String defaultValue, String explanation) {
        this(key, defaultValue, Range.TEXT, explanation);
    }

    Setting(String key, String defaultValue, Range range, String explanation) {
        this.key = key;
        this.defaultValue = defaultValue;
        this.range = range;
        this.explanation = explanation;
    }

    Setting(String key, long defaultValue, Range range, String explanation) {
        this(key, Long.toString(defaultValue), range, explanation);
    }

    /** What a value may be: any text, an address or nothing, or a whole number between bounds. */
    private enum Range {
        TEXT(0, 0),
        ADDRESS(0, 0),
        PORT(0, 65_535),
        PERIOD(500, 600_000),
        SECONDS(0, 10 * 365 * 86_400),
        WAIT(0, 600_000),
        COUNT(0, 1_000_000_000),
        PROCESSES(1, 9),
        AT_A_TIME(1, 1_000),
        BYTES(1 << 10, 1L << 40),
        MAYBE_BYTES(0, 1L << 50),
        MEGABYTES(64, 1 << 20);

        private final long least;
        private final long most;

        Range(long least, long most) {
            this.least = least;
            this.most = most;
        }
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

    /** What it allows, for whoever reads {@code bt config}; empty for text. */
    String allowed() {
        return switch (range) {
            case TEXT -> "";
            case ADDRESS -> "host:port, or nothing";
            default -> "a whole number from " + range.least + " to " + range.most;
        };
    }

    /** REJECTED, with the place of the mistake, when the value is not allowed. */
    void check(String where, String value) throws RejectedException {
        boolean allowed =
                switch (range) {
                    case TEXT -> true;
                    case ADDRESS -> value.isEmpty() || isAddress(value);
                    default ->
                        value.matches("[0-9]{1,15}")
                                && Long.parseLong(value) >= range.least
                                && Long.parseLong(value) <= range.most;
                };
        if (!allowed) {
            throw new RejectedException(where + ": " + key + " is \"" + value + "\"", "write " + allowed());
        }
    }

    private static boolean isAddress(String value) {
        try {
            return Address.parse(value).port() > 0;
        } catch (IllegalArgumentException wrong) {
            return false;
        }
    }

    String text(Map<String, String> configuration) {
        return configuration.getOrDefault(key, defaultValue);
    }

    /** A value that {@link #check} has let pass. */
    long number(Map<String, String> configuration) {
        return Long.parseLong(text(configuration));
    }

    /** The same, of an address; empty where nothing is said. */
    Optional<Address> address(Map<String, String> configuration) {
        return Optional.of(text(configuration)).filter(text -> !text.isEmpty()).map(Address::parse);
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
