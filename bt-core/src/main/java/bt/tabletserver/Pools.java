package bt.tabletserver;

import bt.base.Scheduler;
import bt.base.Scheduler.WorkerPool;
import bt.metadata.MetadataSchema;
import bt.model.TableSchema;
import bt.model.TabletId;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The threads of a tablet server that may wait. Jobs on a tablet wait for METADATA, so each level of the location
 * hierarchy has threads of its own: jobs of users wait for METADATA's tablets, jobs of those for the root tablet, the
 * root tablet's for the lock service alone, and no circle can close, however many jobs there are. Reads of METADATA are
 * apart for the same reason.
 */
final class Pools implements AutoCloseable {
    private static final int METADATA_THREADS = 2;

    /** Of which one host has half: two. */
    private static final int METADATA_READERS = 4;

    /** They wait for the file store, for METADATA and for each other's sorts, more than they work. */
    private static final int LOAD_THREADS = 4;

    /** They wait for METADATA, one sync of whose log serves as many, and do nothing else. */
    private static final int ASKING_THREADS = 16;

    /** Of the threads of partings, of which there are two unless told otherwise. */
    private static final int ASKED_SPLITS = 1;

    /** In which what did not answer may come back. */
    private static final long REST_MILLIS = 2_000;

    /** In which memory may become free: much of it, at the pace of a disk. */
    private static final long ROOM_MILLIS = 200;

    private static final int MAX_WAITING_JOBS = 100_000;
    private static final int MAX_WAITING_SORTS = 1_000;

    private final ReadPool reads;
    private final ReadPool metadataReads;
    private final ReadPool metadataEvaluations;
    private final ReadRoom readRoom;
    private final ReadRoom metadataReadRoom = ReadRoom.ofMetadata();
    private final WorkerPool jobs;
    private final TableThreads loads;
    private final TableThreads begins;
    private final WorkerPool metadataJobs;
    private final WorkerPool rootJobs;
    private final WorkerPool retries;
    private final WorkerPool rests;
    private final TableThreads partings;
    private final WorkerPool idlePartings;
    private final WorkerPool merges;
    private final WorkerPool promisedMerges;
    private final WorkerPool firstMerges;
    private final WorkerPool metadataMerges;
    private final WorkerPool sorts;
    private final FewAtOnce flushes;
    private final FewAtOnce askedSplits;
    private final TabletTurns dueFlushes;
    private final TabletTurns logFlushes;
    private final TabletTurns strikes;
    private final Scheduler scheduler;

    /** How much has begun and not ended for which flushes hasten. */
    private final AtomicInteger hastening = new AtomicInteger();

    private volatile boolean closed;

    Pools(Scheduler scheduler, TabletServerConfig config) {
        this(scheduler, config, new ReadRoom());
    }

    Pools(Scheduler scheduler, TabletServerConfig config, ReadRoom readRoom) {
        this.scheduler = scheduler;
        this.readRoom = readRoom;
        reads = new ReadPool(scheduler, "read", config.readers());
        metadataReads = new ReadPool(scheduler, "read-metadata", METADATA_READERS);
        metadataEvaluations = new ReadPool(scheduler, "evaluate-metadata", METADATA_READERS);
        jobs = scheduler.pool("compaction", config.compactors(), MAX_WAITING_JOBS);
        loads = new TableThreads(
                scheduler.pool("load", LOAD_THREADS, MAX_WAITING_JOBS), LOAD_THREADS, MAX_WAITING_JOBS);
        begins = inTurns(scheduler.pool("compaction-begin", config.compactors(), MAX_WAITING_JOBS), config);
        metadataJobs = scheduler.pool("compaction-metadata", METADATA_THREADS, MAX_WAITING_JOBS);
        rootJobs = scheduler.pool("compaction-root", 1, MAX_WAITING_JOBS);
        retries = scheduler.pool("compaction-retry", config.compactors(), MAX_WAITING_JOBS);
        rests = scheduler.pool("rest", ASKING_THREADS, MAX_WAITING_JOBS);
        partings = inTurns(scheduler.pool("parting", config.compactors(), MAX_WAITING_JOBS), config);
        idlePartings = scheduler.pool("parting-idle", ASKING_THREADS, MAX_WAITING_JOBS);
        merges = scheduler.pool("merge", config.compactors(), MAX_WAITING_JOBS);
        promisedMerges = scheduler.pool("merge-promised", config.compactors(), MAX_WAITING_JOBS);
        firstMerges = scheduler.pool("merge-first", config.compactors(), MAX_WAITING_JOBS);
        metadataMerges = scheduler.pool("merge-metadata", 1, MAX_WAITING_JOBS);
        sorts = scheduler.pool("sort", 1, MAX_WAITING_SORTS);
        flushes = new FewAtOnce(config.compactors(), MAX_WAITING_JOBS);
        askedSplits = new FewAtOnce(ASKED_SPLITS, MAX_WAITING_JOBS);
        dueFlushes = turns(config);
        logFlushes = turns(config);
        strikes = turns(config);
    }

    private static TableThreads inTurns(WorkerPool compactors, TabletServerConfig config) {
        return new TableThreads(compactors, config.compactors(), MAX_WAITING_JOBS);
    }

    private static TabletTurns turns(TabletServerConfig config) {
        return new TabletTurns(new FewAtOnce(config.compactors(), MAX_WAITING_JOBS));
    }

    /** Until that is done no flush keeps to a pace: it needs their threads, or waits behind one. */
    <T> CompletableFuture<T> hasten(CompletableFuture<T> work) {
        hastening.incrementAndGet();
        return work.whenComplete((done, failure) -> hastening.decrementAndGet());
    }

    boolean isHastened() {
        return hastening.get() > 0;
    }

    ReadPool reads(long tableId) {
        return tableId == TableSchema.METADATA_ID ? metadataReads : reads;
    }

    /**
     * For writes that depend on their rows. METADATA's are the cluster's own, which stand behind nobody's reads of METADATA:
     * everybody may read it.
     */
    ReadPool evaluations(long tableId) {
        return tableId == TableSchema.METADATA_ID ? metadataEvaluations : reads;
    }

    /** For what these hold, on whichever thread. */
    ReadRoom readRoom(long tableId) {
        return tableId == TableSchema.METADATA_ID ? metadataReadRoom : readRoom;
    }

    Executor jobs(TabletId tablet) {
        if (tablet.equals(MetadataSchema.ROOT)) {
            return rootJobs;
        }
        return tablet.tableId() == TableSchema.METADATA_ID ? metadataJobs : jobs;
    }

    /** For jobs of a tablet with which something does not succeed: those of others stand behind none of its attempts. */
    Executor retries(TabletId tablet) {
        return tablet.tableId() == TableSchema.METADATA_ID ? jobs(tablet) : retries;
    }

    /** For what is left of a job that METADATA has not answered: after a pause, where no memtable that is to become a file waits. */
    Executor rests(TabletId tablet) {
        Executor threads = tablet.tableId() == TableSchema.METADATA_ID ? jobs(tablet) : rests;
        return rest -> beginLater(rest, threads, REST_MILLIS);
    }

    private void beginLater(Runnable rest, Executor threads, long millis) {
        scheduler.after(millis, () -> {
            try {
                threads.execute(rest);
            } catch (RejectedExecutionException full) {
                if (!closed) {
                    // Nobody else would come to end it.
                    beginLater(rest, threads, millis);
                }
            }
        });
    }

    /**
     * For splits and hand-overs, which wait for METADATA: a memtable that is to become a file does not wait behind. Tables have
     * turns: thousands of tablets of one that is dropped keep no tablet of another that is moved or split waiting.
     */
    Executor partings(TabletId tablet) {
        return tablet.tableId() == TableSchema.METADATA_ID ? jobs(tablet) : partings.of(tablet.tableId());
    }

    /**
     * For what waits for METADATA and writes no file, which stands behind nothing that does: hand-overs of tablets of which all is in
     * files, merges that are to be installed, open writes that are to be struck.
     */
    Executor idlePartings(TabletId tablet) {
        return tablet.tableId() == TableSchema.METADATA_ID ? jobs(tablet) : idlePartings;
    }

    /**
     * For the loads among them, apart from those that empty memory: a dead server's log takes long to recover, and memory must not
     * fill meanwhile. Tables have turns: thousands of tablets of one that is created keep no tablet of another that moves waiting.
     */
    Executor loads(TabletId tablet) {
        return tablet.tableId() == TableSchema.METADATA_ID ? jobs(tablet) : loads.of(tablet.tableId());
    }

    /**
     * For what a load has replayed, of thousands of tablets perhaps: a memtable that is to become a file does not wait behind. It
     * is the first job of whatever is loaded, and others of that tablet wait for it, so tables have turns.
     */
    Executor begins(TabletId tablet) {
        return tablet.tableId() == TableSchema.METADATA_ID ? jobs(tablet) : begins.of(tablet.tableId());
    }

    /** For loads that wait for memory, which hold no thread between two looks at it. */
    Executor loadsInNeed(TabletId tablet) {
        Executor threads = loads(tablet);
        return load -> beginLater(load, threads, ROOM_MILLIS);
    }

    /** For what waits for nothing but the file store, and may take long. */
    Executor merges(TabletId tablet, MergeLine line) {
        if (tablet.tableId() == TableSchema.METADATA_ID) {
            return metadataMerges;
        }
        return switch (line) {
            case CROWDED -> firstMerges;
            case PROMISED -> promisedMerges;
            case USUAL -> merges;
        };
    }

    /**
     * Of the jobs those that somebody asks for, of all tablets of a table at once: a flush for want of memory, or a move, must not
     * stand behind all of them.
     */
    FewAtOnce flushes() {
        return flushes;
    }

    /**
     * Of the splits those that somebody asks for, of thousands of tablets perhaps: hand-overs, splits of tablets that have grown, and
     * what METADATA is to be told of halves, have the others of these threads.
     */
    FewAtOnce askedSplits() {
        return askedSplits;
    }

    /** Of the flushes those whose time has come, of all tablets of a table at once: one for want of memory stands behind few of them. */
    TabletTurns dueFlushes() {
        return dueFlushes;
    }

    /**
     * Of the flushes those without which the log would grow. They stand behind none that are only due, and of other tables behind one
     * each; as many are under way as there are threads, for no segment goes before all that need it have gone.
     */
    TabletTurns logFlushes() {
        return logFlushes;
    }

    /** For what strikes files of open writes out of METADATA: a hand-over of a tablet of which all is in files stands behind few. */
    TabletTurns strikes() {
        return strikes;
    }

    /** For what loads would do later, and may. */
    Executor sorts() {
        return sorts;
    }

    @Override
    public void close() {
        closed = true;
        sorts.close();
        merges.close();
        promisedMerges.close();
        firstMerges.close();
        metadataMerges.close();
        jobs.close();
        loads.close();
        begins.close();
        metadataJobs.close();
        rootJobs.close();
        retries.close();
        rests.close();
        partings.close();
        idlePartings.close();
        reads.close();
        metadataReads.close();
        metadataEvaluations.close();
    }
}
