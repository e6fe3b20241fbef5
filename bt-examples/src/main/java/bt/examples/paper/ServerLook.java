package bt.examples.paper;

import bt.record.CacheReport;
import bt.record.ServerStatus;
import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/** What the tablet servers of a cluster said of themselves at one moment, by their addresses: counts are since their start. */
record ServerLook(Map<String, ServerStatus> byAddress) {
    /** What is read from a server's memory of blocks. */
    static final String BLOCKS = "blocks";

    /** What is read from a server's memory of single entries. */
    static final String SCANS = "scans";

    /** The files of in-memory locality groups: hits are those that were loaded, misses those that found no room. */
    static final String IN_MEMORY = "in-memory";

    /** Copies of blocks on the disks of the servers' machines. */
    static final String LOCAL = "local";

    ServerLook {
        byAddress = Collections.unmodifiableMap(new TreeMap<>(byAddress));
    }

    /** Whether they are the same processes. */
    boolean isOfServersOf(ServerLook other) {
        return ids().equals(other.ids());
    }

    private Set<String> ids() {
        return byAddress.values().stream().map(ServerStatus::getServer).collect(Collectors.toSet());
    }

    /** Of all servers together. */
    long sum(ToLongFunction<ServerStatus> count) {
        return byAddress.values().stream().mapToLong(count).sum();
    }

    /** One cache of all servers together. */
    CacheUse cache(String name) {
        return byAddress.values().stream().map(status -> cache(status, name)).reduce(CacheUse.NONE, CacheUse::plus);
    }

    /** One cache of one server. */
    static CacheUse cache(ServerStatus status, String name) {
        return status.getCaches().stream()
                .filter(cache -> cache.getName().equals(name))
                .map(ServerLook::use)
                .reduce(CacheUse.NONE, CacheUse::plus);
    }

    private static CacheUse use(CacheReport cache) {
        return new CacheUse(cache.getBytes(), cache.getMaxBytes(), cache.getHits(), cache.getMisses());
    }

    /** Bytes of the files of a table. */
    long fileBytes(long table) {
        return sum(status -> status.getTablets().stream()
                .filter(tablet -> tablet.getTableId() == table)
                .mapToLong(tablet -> tablet.getFileBytes())
                .sum());
    }

    /** Whether a compaction is at work. */
    boolean isCompacting() {
        return sum(status -> status.getCompactions().getFlushesBegun()
                        - status.getCompactions().getFlushesEnded()
                        + status.getCompactions().getMergesBegun()
                        - status.getCompactions().getMergesEnded())
                > 0;
    }

    /** What came since then, all servers having lived through it. */
    Window since(ServerLook before) {
        return new Window(
                sum(status -> status.getCompactions().getFlushesBegun())
                        - before.sum(status -> status.getCompactions().getFlushesEnded()),
                sum(status -> status.getCompactions().getMergesBegun())
                        - before.sum(status -> status.getCompactions().getMergesEnded()),
                sum(status -> status.getLog().getBytes())
                        - before.sum(status -> status.getLog().getBytes()),
                sum(status -> status.getLog().getBatches())
                        - before.sum(status -> status.getLog().getBatches()),
                sum(status -> status.getLog().getWrites())
                        - before.sum(status -> status.getLog().getWrites()),
                cache(BLOCKS).since(before.cache(BLOCKS)),
                cache(SCANS).since(before.cache(SCANS)),
                cache(LOCAL).since(before.cache(LOCAL)));
    }
}
