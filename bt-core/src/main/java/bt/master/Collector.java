package bt.master;

import bt.base.Mailbox;
import bt.record.GarbageReport;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sweeps garbage as long as its master reigns: twice in every grace, and when somebody asks. Its worker owns it, so that
 * nothing that a cluster needs at once waits for a sweep.
 */
final class Collector {
    private static final Logger log = LoggerFactory.getLogger(Collector.class);
    private static final long LONGEST_WAIT_MILLIS = 60_000;

    /** Of words that something was asked for: one is as good as many. */
    private static final int MAX_WORDS = 2;

    private final Sweep.Ports ports;
    private final Graces graces;
    private final Waiting waiting;
    private final Mailbox<Boolean> mailbox;
    private final Runnable step;
    private final Kind real = new Kind(false);
    private final Kind dry = new Kind(true);

    /** {@code step} is told that the worker gets on, where that waits for nothing else. */
    Collector(Sweep.Ports ports, Graces graces, Runnable step) {
        this.ports = ports;
        this.graces = graces;
        this.waiting = new Waiting(graces.garbageMillis());
        this.mailbox = ports.scheduler().mailbox(MAX_WORDS);
        this.step = step;
    }

    /** Sweeps that delete, or those that do not. They are numbered; any thread looks. */
    private static final class Kind {
        private final boolean dry;

        /** The last that somebody wants; raised by the master's thread. */
        private final AtomicLong wanted = new AtomicLong();

        /** The last that has begun, for all who had asked by then; and that has ended. */
        private final AtomicLong begun = new AtomicLong();

        private final AtomicLong ended = new AtomicLong();
        private volatile GarbageReport last = SweepTally.none();
        private volatile @Nullable Sweep running;

        Kind(boolean dry) {
            this.dry = dry;
        }
    }

    private Kind kind(boolean isDry) {
        return isDry ? dry : real;
    }

    /** What the last sweep of the kind did. Any thread. */
    GarbageReport last(boolean isDry) {
        return kind(isDry).last;
    }

    /**
     * The number of a sweep that begins from now on: one that has begun already may have passed what is meant. The master's
     * thread.
     */
    long ask(boolean isDry) {
        Kind kind = kind(isDry);
        if (kind.wanted.get() == kind.begun.get()) {
            kind.wanted.incrementAndGet();
            boolean unusedFull = mailbox.offer(isDry);
        }
        return kind.wanted.get();
    }

    /** Any thread. */
    boolean hasDone(boolean isDry, long number) {
        return kind(isDry).ended.get() >= number;
    }

    /** How many tables the sweep that was asked for last has not looked at yet, as far as is known; at least 1. Any thread. */
    int tablesLeft(boolean isDry) {
        Kind kind = kind(isDry);
        Sweep sweep = kind.running;
        if (sweep != null && kind.begun.get() == kind.wanted.get()) {
            return sweep.tablesLeft();
        }
        return Math.max(1, kind.last.getTables());
    }

    /** Changes while it gets on with what it sweeps, whether or not somebody has asked for that. Any thread. */
    long progress() {
        return steps(real) + steps(dry);
    }

    private static long steps(Kind kind) {
        Sweep sweep = kind.running;
        return kind.begun.get() + kind.ended.get() + (sweep == null ? 0 : sweep.steps());
    }

    /** The worker. */
    void run() throws InterruptedException {
        long periodMillis = Math.max(1, graces.garbageMillis() / 2);
        long nextNanos = ports.scheduler().clock().nanos() + periodMillis * 1_000_000;
        while (true) {
            step.run();
            long leftNanos = nextNanos - ports.scheduler().clock().nanos();
            if (leftNanos <= 0) {
                sweep(real);
                nextNanos = ports.scheduler().clock().nanos() + periodMillis * 1_000_000;
                continue;
            }
            Boolean unusedWord = mailbox.poll(Math.min(LONGEST_WAIT_MILLIS, leftNanos / 1_000_000 + 1));
            for (Kind kind : new Kind[] {dry, real}) {
                if (kind.wanted.get() > kind.begun.get()) {
                    sweep(kind);
                }
            }
        }
    }

    /** One for all that have asked by now. */
    private void sweep(Kind kind) throws InterruptedException {
        Sweep sweep = new Sweep(ports, graces, waiting, kind.dry);
        kind.running = sweep;
        kind.begun.set(kind.wanted.get());
        GarbageReport report = sweep.run();
        kind.last = report;
        kind.running = null;
        kind.ended.set(kind.begun.get());
        if (!kind.dry && (report.getDeletedFiles() > 0 || report.getDeletedLogs() > 0)) {
            log.info(
                    "garbage: {} files with {} bytes and {} logs are deleted, {} files wait",
                    report.getDeletedFiles(),
                    report.getDeletedBytes(),
                    report.getDeletedLogs(),
                    report.getWaitingFiles());
        }
    }
}
