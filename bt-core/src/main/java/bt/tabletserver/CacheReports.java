package bt.tabletserver;

import bt.record.CacheReport;
import bt.sstable.BlockCache;
import bt.sstable.Caches;
import bt.sstable.InMemoryShare;
import bt.sstable.ScanCache;
import bt.tablet.TabletCaches;
import java.util.ArrayList;
import java.util.List;

/** What a server says of its caches. */
final class CacheReports {
    private CacheReports() {}

    static List<CacheReport> of(TabletCaches caches) {
        List<CacheReport> reports = new ArrayList<>();
        add("", caches.users(), reports);
        reports.add(local(caches.users().blocks()));
        add("metadata-", caches.metadata(), reports);
        return reports;
    }

    /** Of the copies on a disk of this machine, which METADATA's blocks have none of. */
    private static CacheReport local(BlockCache blocks) {
        return new CacheReport(
                "local", blocks.localBytes(), blocks.maxLocalBytes(), blocks.localHits(), blocks.localMisses());
    }

    private static void add(String prefix, Caches caches, List<CacheReport> reports) {
        BlockCache blocks = caches.blocks();
        ScanCache scans = caches.scans();
        InMemoryShare inMemory = caches.inMemory();
        reports.add(
                new CacheReport(prefix + "blocks", blocks.bytes(), blocks.maxBytes(), blocks.hits(), blocks.misses()));
        reports.add(new CacheReport(prefix + "open-files", blocks.openBytes(), blocks.maxOpenBytes(), 0L, 0L));
        reports.add(new CacheReport(prefix + "scans", scans.bytes(), scans.maxBytes(), scans.hits(), scans.misses()));
        reports.add(new CacheReport(
                prefix + "in-memory", inMemory.bytes(), inMemory.maxBytes(), inMemory.loads(), inMemory.refusals()));
    }
}
