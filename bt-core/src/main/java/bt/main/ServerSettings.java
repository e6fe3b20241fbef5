package bt.main;

import bt.base.RejectedException;
import bt.connect.ClusterAddress;
import bt.log.LogOptions;
import bt.master.Graces;
import bt.master.MasterConfig;
import bt.master.MergeConfig;
import bt.sstable.CacheSizes;
import bt.tablet.TabletConfig;
import bt.tabletserver.SplitConfig;
import bt.tabletserver.TabletServerConfig;
import java.util.Map;

/** What the processes of a cluster are told: which cluster, where its files lie, where to listen, and how to work. */
record ServerSettings(
        ClusterAddress cluster,
        String root,
        String host,
        Berth masterBerth,
        Berth tabletServerBerth,
        int sessionMillis,
        MasterConfig master,
        TabletServerConfig tabletServer,
        LocalCache localCache) {
    static ServerSettings read(Map<String, String> configuration) throws RejectedException {
        int session = (int) Setting.SESSION_MILLIS.number(configuration);
        long lease = Setting.LEASE_MILLIS.number(configuration);
        MasterConfig master = MasterConfig.DEFAULT;
        TabletConfig tablet = TabletConfig.DEFAULT;
        TabletServerConfig server = TabletServerConfig.DEFAULT;
        return new ServerSettings(
                ClusterAddress.parse(Setting.AT.text(configuration)),
                Setting.ROOT.text(configuration),
                Setting.HOST.text(configuration),
                new Berth(
                        (int) Setting.MASTER_PORT.number(configuration),
                        Setting.MASTER_ADVERTISED.address(configuration)),
                new Berth(
                        (int) Setting.TABLET_SERVER_PORT.number(configuration),
                        Setting.TABLET_SERVER_ADVERTISED.address(configuration)),
                session,
                new MasterConfig(
                                lease,
                                master.loopMillis(),
                                master.passMillis(),
                                master.requestMillis(),
                                new Graces(
                                        Setting.UNDELETE_SECONDS.number(configuration) * 1_000,
                                        Math.max(1, Setting.GARBAGE_SECONDS.number(configuration)) * 1_000,
                                        master.graces().goneRowMillis()),
                                new MergeConfig(
                                        Setting.MERGE_BYTES.number(configuration),
                                        Setting.MERGE_AFTER_MILLIS.number(configuration)),
                                Setting.RETURN_WAIT_MILLIS.number(configuration),
                                Setting.SPLIT_REQUESTS_PER_SECOND.number(configuration),
                                MasterConfig.silenceFor(session))
                        .draining((int) Setting.DRAIN_MOVES.number(configuration))
                        .knowing(Setting.TABLETS_BYTES.number(configuration)),
                new TabletServerConfig(
                        new TabletConfig(
                                Setting.FLUSH_BYTES.number(configuration),
                                tablet.workBytesPerPage(),
                                tablet.compiledScripts(),
                                tablet.scriptBudget()),
                        new LogOptions(Setting.SEGMENT_BYTES.number(configuration)),
                        lease,
                        Setting.MEMTABLE_BYTES.number(configuration),
                        server.metadataMemtableBytes(),
                        new CacheSizes(
                                Setting.BLOCK_CACHE_BYTES.number(configuration),
                                Setting.SCAN_CACHE_BYTES.number(configuration),
                                Setting.IN_MEMORY_BYTES.number(configuration)),
                        server.metadataCaches(),
                        server.readers(),
                        server.compactors(),
                        Setting.COMPACTION_BYTES_PER_SECOND.number(configuration),
                        new SplitConfig(
                                Setting.SPLIT_BYTES.number(configuration),
                                Setting.METADATA_SPLIT_BYTES.number(configuration)),
                        (int) Setting.TRACE_ONE_OF.number(configuration),
                        Math.max(1, Setting.LOAD_SECONDS.number(configuration)) * 1_000,
                        Setting.STOP_SECONDS.number(configuration) * 1_000,
                        TabletServerConfig.leaseStepFor(session, lease),
                        Setting.SERVED_BYTES.number(configuration)),
                LocalCache.read(configuration));
    }

    /** The same, of another cluster. */
    ServerSettings locatedAt(ClusterAddress otherCluster, String otherRoot) {
        return new ServerSettings(
                otherCluster,
                otherRoot,
                host,
                masterBerth,
                tabletServerBerth,
                sessionMillis,
                master,
                tabletServer,
                localCache);
    }

    /** The same, with a lease of this length in every process. */
    ServerSettings leased(long millis) {
        return new ServerSettings(
                cluster,
                root,
                host,
                masterBerth,
                tabletServerBerth,
                sessionMillis,
                master.leased(millis),
                new TabletServerConfig(
                        tabletServer.tablet(),
                        tabletServer.log(),
                        millis,
                        tabletServer.memtableBytes(),
                        tabletServer.metadataMemtableBytes(),
                        tabletServer.caches(),
                        tabletServer.metadataCaches(),
                        tabletServer.readers(),
                        tabletServer.compactors(),
                        tabletServer.compactionBytesPerSecond(),
                        tabletServer.splits(),
                        tabletServer.traceOneOf(),
                        tabletServer.loadMillis(),
                        tabletServer.stopMillis(),
                        tabletServer.leaseStepMillis(),
                        tabletServer.tabletBytes()),
                localCache);
    }
}
