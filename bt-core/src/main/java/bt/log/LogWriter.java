package bt.log;

import bt.base.BigtableException;
import bt.base.Clock;
import bt.base.Mailbox;
import bt.base.Scheduler;
import bt.base.Scheduler.Worker;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One of the two writers of a log: a segment and the thread that alone touches it, so that a file system that does not
 * answer holds up nobody but this thread. The thread makes the segment ahead, waits, writes, closes it and ends. It is
 * told what to do by the owner of the {@link CommitLog}, one step after the other.
 */
final class LogWriter {
    private static final Logger logger = LoggerFactory.getLogger(LogWriter.class);

    /** Between two looks at a segment that nobody writes to: it may lose its datanodes all the same. */
    private static final long IDLE_MILLIS = 5_000;

    private static final int MAX_STEPS = 4;

    private final long number;
    private final Mailbox<Pending> steps;
    private final CompletableFuture<LogWriter> ready = new CompletableFuture<>();
    private final Worker thread;
    private final Clock clock;

    private volatile boolean thin;
    private volatile @Nullable Refusal refusal;

    private LogWriter(Scheduler scheduler, String name, long number, Maker maker) {
        this.number = number;
        this.clock = scheduler.clock();
        this.steps = scheduler.mailbox(MAX_STEPS);
        this.thread = scheduler.start(name + "-" + number, () -> run(maker));
    }

    /** The maker runs on the writer's thread and may take as long as it needs. */
    static LogWriter start(Scheduler scheduler, String name, long number, Maker maker) {
        return new LogWriter(scheduler, name, number, maker);
    }

    long number() {
        return number;
    }

    /** Completes with this when the segment is there. */
    CompletableFuture<LogWriter> ready() {
        return ready;
    }

    /** Whether one datanode alone keeps what is written, as of some seconds ago. Any thread. */
    boolean isThin() {
        return thin;
    }

    /** Why the segment was not made when that was last tried, if this is no longer ago than that. Any thread. */
    Optional<BigtableException> refusedWithin(long millis) {
        Refusal last = refusal;
        return last != null && !ready.isDone() && clock.nanos() - last.nanos <= millis * 1_000_000
                ? Optional.of(last.why)
                : Optional.empty();
    }

    /** Completes when the step is done, or has failed; after that only {@link #abandon} may follow. */
    CompletableFuture<Written> submit(Step step) {
        return submit(new Pending(step, false, new CompletableFuture<>()));
    }

    /** Writes the footer; completes when the segment is whole and on disk. Then it closes the file and ends. */
    CompletableFuture<Written> finish() {
        return submit(new Pending(SegmentWriter::finish, true, new CompletableFuture<>()));
    }

    /** Ends the thread, whatever it waits for, and leaves the segment as it is. */
    void abandon() {
        thread.interrupt();
    }

    /** Waits for the end of the thread; false when the time is over first. */
    boolean join(long millis) throws InterruptedException {
        return thread.join(millis);
    }

    private CompletableFuture<Written> submit(Pending pending) {
        if (!steps.offer(pending)) {
            throw new IllegalStateException("segment " + number + " has " + MAX_STEPS + " steps to do");
        }
        return pending.written;
    }

    private void run(Maker maker) throws InterruptedException {
        SegmentWriter segment = maker.make(why -> refusal = new Refusal(why, clock.nanos()));
        boolean ended = false;
        try {
            ready.complete(this);
            while (!ended) {
                Pending next = steps.poll(IDLE_MILLIS);
                if (next != null) {
                    ended = !next.carryOut(segment) || next.last;
                }
                thin = segment.isThin();
            }
        } finally {
            // Or giving the file up, which may need the network, would be interrupted as well.
            boolean unused = Thread.interrupted();
            segment.abandon();
        }
    }

    /** Makes the segment, however often that has to be tried, and tells why it could not be made yet. */
    @FunctionalInterface
    interface Maker {
        SegmentWriter make(Consumer<BigtableException> refused) throws InterruptedException;
    }

    /** What is done with the segment. */
    @FunctionalInterface
    interface Step {
        void run(SegmentWriter segment) throws BigtableException;
    }

    /**
     * How long the segment is after a step, how much of it is on disk, whether it has too few replicas, and why the step
     * failed if it did.
     */
    record Written(long length, long synced, boolean thin, Optional<BigtableException> failure) {
        /** Of a segment with nothing but its header. */
        static Written header(long length) {
            return new Written(length, 0, false, Optional.empty());
        }

        private static Written of(SegmentWriter segment, Optional<BigtableException> failure) {
            return new Written(segment.position(), segment.synced(), segment.isThin(), failure);
        }
    }

    private record Refusal(BigtableException why, long nanos) {}

    private record Pending(Step step, boolean last, CompletableFuture<Written> written) {
        /** Whether it went well. */
        boolean carryOut(SegmentWriter segment) {
            try {
                step.run(segment);
                written.complete(Written.of(segment, Optional.empty()));
            } catch (BigtableException failed) {
                written.complete(Written.of(segment, Optional.of(failed)));
                return false;
            } catch (RuntimeException bug) {
                written.completeExceptionally(bug);
                throw bug;
            }
            if (last) {
                close(segment);
            }
            return true;
        }

        private static void close(SegmentWriter segment) {
            try {
                segment.close();
            } catch (BigtableException failed) {
                // It is whole and on disk; whoever wants to read it fences it.
                logger.warn("{}: not closed: {}", segment.path(), failed.getMessage());
            }
        }
    }
}
