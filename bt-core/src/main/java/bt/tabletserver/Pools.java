package bt.tabletserver;

import bt.base.Scheduler;
import bt.base.Scheduler.WorkerPool;
import bt.metadata.MetadataSchema;
import bt.model.TableSchema;
import bt.model.TabletId;
import java.util.concurrent.Executor;

/**
 * The threads of a tablet server that may wait. Jobs on a tablet wait for METADATA, so each level of the location
 * hierarchy has threads of its own: jobs of users wait for METADATA's tablets, jobs of those for the root tablet, the
 * root tablet's for the lock service alone, and no circle can close, however many jobs there are. Reads of METADATA are
 * apart for the same reason.
 */
final class Pools implements AutoCloseable {
    private static final int METADATA_THREADS = 2;
    private static final int MAX_WAITING_READS = 10_000;
    private static final int MAX_WAITING_JOBS = 100_000;

    private final WorkerPool reads;
    private final WorkerPool metadataReads;
    private final WorkerPool jobs;
    private final WorkerPool metadataJobs;
    private final WorkerPool rootJobs;
    private final WorkerPool merges;
    private final WorkerPool metadataMerges;

    Pools(Scheduler scheduler, TabletServerConfig config) {
        reads = scheduler.pool("read", config.readers(), MAX_WAITING_READS);
        metadataReads = scheduler.pool("read-metadata", METADATA_THREADS, MAX_WAITING_READS);
        jobs = scheduler.pool("compaction", config.compactors(), MAX_WAITING_JOBS);
        metadataJobs = scheduler.pool("compaction-metadata", METADATA_THREADS, MAX_WAITING_JOBS);
        rootJobs = scheduler.pool("compaction-root", 1, MAX_WAITING_JOBS);
        merges = scheduler.pool("merge", config.compactors(), MAX_WAITING_JOBS);
        metadataMerges = scheduler.pool("merge-metadata", 1, MAX_WAITING_JOBS);
    }

    Executor reads(long tableId) {
        return tableId == TableSchema.METADATA_ID ? metadataReads : reads;
    }

    Executor jobs(TabletId tablet) {
        if (tablet.equals(MetadataSchema.ROOT)) {
            return rootJobs;
        }
        return tablet.tableId() == TableSchema.METADATA_ID ? metadataJobs : jobs;
    }

    /** For what waits for nothing but the file store, and may take long. */
    Executor merges(TabletId tablet) {
        return tablet.tableId() == TableSchema.METADATA_ID ? metadataMerges : merges;
    }

    @Override
    public void close() {
        merges.close();
        metadataMerges.close();
        jobs.close();
        metadataJobs.close();
        rootJobs.close();
        reads.close();
        metadataReads.close();
    }
}
