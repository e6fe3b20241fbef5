package bt.tabletserver;

import static bt.base.Check.checkArgument;

import bt.log.LogOptions;
import bt.tablet.TabletConfig;

/** How a tablet server works. METADATA's tablets have a memory share of their own, so that no user can fill it. */
public record TabletServerConfig(
        TabletConfig tablet,
        LogOptions log,
        long leaseMillis,
        long memtableBytes,
        long metadataMemtableBytes,
        long blockCacheBytes,
        int readers,
        int compactors) {
    public static final TabletServerConfig DEFAULT = new TabletServerConfig(
            TabletConfig.DEFAULT, LogOptions.DEFAULT, 6_000, 256L << 20, 32L << 20, 256L << 20, 16, 2);

    public TabletServerConfig {
        checkArgument(leaseMillis >= 30, "a lease of %d ms", leaseMillis);
        checkArgument(
                memtableBytes > 0 && metadataMemtableBytes > 0 && blockCacheBytes > 0,
                "%d bytes for memtables, %d for METADATA's, %d for blocks",
                memtableBytes,
                metadataMemtableBytes,
                blockCacheBytes);
        checkArgument(readers > 0 && compactors > 0, "%d readers, %d compactors", readers, compactors);
    }
}
