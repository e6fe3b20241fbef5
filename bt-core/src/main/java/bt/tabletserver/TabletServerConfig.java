package bt.tabletserver;

import static bt.base.Check.checkArgument;

import bt.log.LogOptions;
import bt.sstable.CacheSizes;
import bt.tablet.TabletConfig;

/** How a tablet server works. METADATA's tablets have memory and caches of their own, so that no user can
 * fill them. One request of {@code traceOneOf} is traced; 0: none. A load that does not get on for {@code loadMillis} is told as
 * one that has failed. A server that was asked to end has its tablets moved to others for {@code stopMillis} at most. A lease
 * thread that takes no step for {@code leaseStepMillis} hangs. Tablets that nobody asks anything of have {@code tabletBytes} of memory at
 * most; 0: a share of the heap. */
public record TabletServerConfig(
        TabletConfig tablet,
        LogOptions log,
        long leaseMillis,
        long memtableBytes,
        long metadataMemtableBytes,
        CacheSizes caches,
        CacheSizes metadataCaches,
        int readers,
        int compactors,
        long compactionBytesPerSecond,
        SplitConfig splits,
        int traceOneOf,
        long loadMillis,
        long stopMillis,
        long leaseStepMillis,
        long tabletBytes) {
    private static final long MIN_LEASE_STEP_MILLIS = 9_000;

    public static final TabletServerConfig DEFAULT = new TabletServerConfig(
            TabletConfig.DEFAULT,
            LogOptions.DEFAULT,
            6_000,
            256L << 20,
            32L << 20,
            new CacheSizes(256L << 20, 32L << 20, 64L << 20),
            new CacheSizes(8L << 20, 4L << 20, 32L << 20),
            16,
            2,
            64L << 20,
            SplitConfig.DEFAULT,
            100,
            120_000,
            600_000,
            MIN_LEASE_STEP_MILLIS,
            0);

    public TabletServerConfig {
        checkArgument(leaseMillis >= 30, "a lease of %d ms", leaseMillis);
        checkArgument(
                memtableBytes > 0 && metadataMemtableBytes > 0,
                "%d bytes for memtables, %d for METADATA's",
                memtableBytes,
                metadataMemtableBytes);
        checkArgument(readers > 0 && compactors > 0, "%d readers, %d compactors", readers, compactors);
        checkArgument(loadMillis > 0, "a load stands still for %d ms at most", loadMillis);
        checkArgument(stopMillis >= 0, "tablets are moved for %d ms at the end", stopMillis);
        checkArgument(leaseStepMillis > 0, "a lease thread takes no step for %d ms at most", leaseStepMillis);
        checkArgument(tabletBytes >= 0, "tablets have %d bytes", tabletBytes);
        checkArgument(traceOneOf >= 0, "one request of %d is traced", traceOneOf);
        checkArgument(
                compactionBytesPerSecond > 0, "compactions of files at %d bytes a second", compactionBytesPerSecond);
    }

    /** How long after a server was asked to end everything is handed back, or left to recovery. */
    public long endMillis() {
        return PlannedStop.endMillis(stopMillis);
    }

    /**
     * How long a lease thread may take no step where sessions with the lock service, and leases, last so long: it waits for one answer,
     * nearly a session at most, or for a third of the lease.
     */
    public static long leaseStepFor(long sessionMillis, long leaseMillis) {
        return Math.max(MIN_LEASE_STEP_MILLIS, Math.max(sessionMillis * 3 / 2, leaseMillis));
    }
}
