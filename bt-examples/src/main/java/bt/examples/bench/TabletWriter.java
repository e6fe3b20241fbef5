package bt.examples.bench;

import static bt.base.Check.checkState;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Clock;
import bt.base.Output;
import bt.base.ThreadScheduler;
import bt.fs.FileStore;
import bt.log.CommitLog;
import bt.log.LogBatch;
import bt.log.LogOptions;
import bt.log.LogRecord;
import bt.log.LogRecord.Author;
import bt.log.LogRecord.Kind;
import bt.log.LogRecord.Origin;
import bt.log.LogRecord.Stamp;
import bt.log.LogStream;
import bt.model.RowMutation;
import bt.tablet.Frozen;
import bt.tablet.ResolvedMutation;
import bt.tablet.Resolver;
import bt.tablet.Tablet;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What stands before a tablet in its server: a batch is filled (resolved and encoded), logged and flushed to the operating
 * system, applied and made visible. As there, one batch is filled while the one before is on its way to the log, and that
 * one is applied while the next is on its way: the three steps have a lock each, and a thread has the next step's before it
 * leaves its own, so that nobody overtakes. A full memtable is written to a file by a thread of its own; two may wait for
 * that.
 */
final class TabletWriter implements AutoCloseable {
    private static final int MAX_FROZEN = 2;

    private final Tablet tablet;
    private final Optional<CommitLog> log;
    private final Compaction compaction;
    private final ThreadScheduler scheduler;
    private final ReentrantLock filling = new ReentrantLock();
    private final ReentrantLock logging = new ReentrantLock();
    private final ReentrantLock applying = new ReentrantLock();
    private final ExecutorService compactor = Executors.newSingleThreadExecutor();
    private final Semaphore room = new Semaphore(MAX_FROZEN);

    /** One is filled while the other is on its way. */
    private final BlockingQueue<LogBatch> spares =
            new ArrayBlockingQueue<>(2, false, List.of(new LogBatch(), new LogBatch()));

    @GuardedBy("filling") private long lastSequence;

    @GuardedBy("filling") private long lastTimestamp;

    @GuardedBy("applying") private Future<?> lastCompaction;

    private TabletWriter(Tablet tablet, Optional<CommitLog> log, ThreadScheduler scheduler, Compaction compaction) {
        this.tablet = tablet;
        this.log = log;
        this.scheduler = scheduler;
        this.compaction = compaction;
        this.lastCompaction = compactor.submit(() -> {});
    }

    /** Writes a frozen memtable to a file and puts that in its place. */
    interface Compaction {
        void run(Frozen frozen) throws BigtableException;
    }

    static TabletWriter of(Tablet tablet, Compaction compaction) {
        return new TabletWriter(tablet, Optional.empty(), new ThreadScheduler(), compaction);
    }

    static TabletWriter logged(Tablet tablet, FileStore files, Compaction compaction) throws BigtableException {
        LogStream stream = new LogStream(LogStream.LIVE, 1, LogStream.USER);
        files.makeDirectory(stream.directory());
        ThreadScheduler scheduler = new ThreadScheduler();
        CommitLog log = CommitLog.open(files, stream, LogOptions.DEFAULT, scheduler);
        return new TabletWriter(tablet, Optional.of(log), scheduler, compaction);
    }

    void write(List<RowMutation> batch) throws Exception {
        List<ResolvedMutation> resolved;
        LogBatch logged;
        filling.lock();
        try {
            resolved = resolve(batch);
            logged = spares.take();
            fill(logged, resolved);
            logging.lock();
        } finally {
            filling.unlock();
        }
        try {
            Optional<LogBatch> spare = Optional.empty();
            try {
                spare = Optional.of(log(logged));
            } finally {
                // Also after a failure: others wait for one, and are to fail themselves.
                spares.put(spare.orElseGet(LogBatch::new));
            }
            applying.lock();
        } finally {
            logging.unlock();
        }
        try {
            apply(resolved);
        } finally {
            tablet.passOn();
            applying.unlock();
        }
    }

    @GuardedBy("filling") private List<ResolvedMutation> resolve(List<RowMutation> batch) throws BigtableException {
        List<ResolvedMutation> resolved = new ArrayList<>(batch.size());
        for (RowMutation mutation : batch) {
            lastTimestamp = Math.max(Clock.system().micros(), lastTimestamp + 1);
            ResolvedMutation next = Resolver.resolve(mutation, tablet.schema(), lastSequence + 1, lastTimestamp);
            lastSequence = next.lastSequence();
            resolved.add(next);
        }
        return resolved;
    }

    private void fill(LogBatch logged, List<ResolvedMutation> batch) throws BigtableException {
        if (log.isEmpty()) {
            return;
        }
        Output body = new Output();
        for (ResolvedMutation mutation : batch) {
            body.clear();
            mutation.encodeBody(body);
            Stamp stamp = new Stamp(mutation.firstSequence(), mutation.timestamp());
            Author author = new Author(1, mutation.firstSequence(), mutation.firstSequence(), mutation.timestamp());
            logged.add(new LogRecord(
                    Kind.MUTATION,
                    tablet.id().tableId(),
                    tablet.schema().version(),
                    stamp,
                    Origin.HERE,
                    author,
                    mutation.row(),
                    Bytes.wrap(body.array(), 0, body.size())));
        }
    }

    /** Returns when the batch is in the log; one that may be filled again. */
    private LogBatch log(LogBatch logged) throws BigtableException, InterruptedException {
        if (log.isEmpty()) {
            return logged;
        }
        log.get().write(logged, false);
        if (!log.get().settle()) {
            return new LogBatch();
        }
        logged.clear();
        return logged;
    }

    @GuardedBy("applying") private void apply(List<ResolvedMutation> batch) throws InterruptedException {
        batch.forEach(tablet::apply);
        tablet.publish(batch.get(batch.size() - 1).lastSequence());
        if (tablet.wantsMinorCompaction()) {
            freeze();
        }
    }

    @GuardedBy("applying") private void freeze() throws InterruptedException {
        Optional<Frozen> frozen = tablet.freeze();
        if (frozen.isPresent()) {
            room.acquire();
            Future<?> before = lastCompaction;
            lastCompaction = compactor.submit(() -> {
                try {
                    // Whoever waits for the last one hears of any that failed.
                    before.get();
                    compaction.run(frozen.get());
                    return null;
                } finally {
                    room.release();
                }
            });
        }
    }

    /** Returns when all that was written is in files. */
    void flush() throws Exception {
        Future<?> last;
        applying.lock();
        try {
            freeze();
            last = lastCompaction;
        } finally {
            tablet.passOn();
            applying.unlock();
        }
        last.get();
    }

    @Override
    public void close() throws BigtableException {
        compactor.shutdown();
        try {
            checkState(compactor.awaitTermination(1, TimeUnit.MINUTES), "a minor compaction that does not end");
            if (log.isPresent()) {
                log.get().close();
            }
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        } finally {
            scheduler.close();
        }
    }
}
