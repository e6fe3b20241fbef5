package bt.examples.bench;

import static bt.base.Check.checkState;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Clock;
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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The tablet's one writer, which threads are in turn: a batch is resolved, logged, flushed to the operating system,
 * applied, made visible. A full memtable is written to a file by a thread of its own; two may wait for that.
 */
final class TabletWriter implements AutoCloseable {
    private static final int MAX_FROZEN = 2;

    private final Tablet tablet;
    private final Optional<CommitLog> log;
    private final Compaction compaction;
    private final ThreadScheduler scheduler;
    private final ReentrantLock turn = new ReentrantLock();
    private final ExecutorService compactor = Executors.newSingleThreadExecutor();
    private final Semaphore room = new Semaphore(MAX_FROZEN);

    @GuardedBy("turn") private LogBatch logged = new LogBatch();

    @GuardedBy("turn") private long lastSequence;

    @GuardedBy("turn") private Future<?> lastCompaction;

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
        turn.lock();
        try {
            List<ResolvedMutation> resolved = new ArrayList<>(batch.size());
            for (RowMutation mutation : batch) {
                ResolvedMutation next = Resolver.resolve(
                        mutation,
                        tablet.schema(),
                        lastSequence + 1,
                        tablet.nextServerTimestamp(Clock.system().micros()));
                lastSequence = next.lastSequence();
                resolved.add(next);
            }
            if (log.isPresent()) {
                log(log.get(), resolved);
            }
            resolved.forEach(tablet::apply);
            tablet.publish(lastSequence);
            if (tablet.wantsMinorCompaction()) {
                freeze();
            }
        } finally {
            tablet.passOn();
            turn.unlock();
        }
    }

    @GuardedBy("turn") private void log(CommitLog to, List<ResolvedMutation> batch) throws Exception {
        for (ResolvedMutation mutation : batch) {
            Bytes body = mutation.encodeBody();
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
                    body));
        }
        to.write(logged, false);
        if (to.settle()) {
            logged.clear();
        } else {
            logged = new LogBatch();
        }
    }

    @GuardedBy("turn") private void freeze() throws InterruptedException {
        Optional<Frozen> frozen = tablet.freeze();
        if (frozen.isPresent()) {
            room.acquire();
            lastCompaction = compactor.submit(() -> {
                compaction.run(frozen.get());
                room.release();
                return null;
            });
        }
    }

    /** Returns when all that was written is in files. */
    void flush() throws Exception {
        Future<?> last;
        turn.lock();
        try {
            freeze();
            last = lastCompaction;
        } finally {
            tablet.passOn();
            turn.unlock();
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
