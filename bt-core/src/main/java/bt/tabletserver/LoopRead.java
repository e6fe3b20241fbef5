package bt.tabletserver;

import bt.base.Clock;
import bt.sstable.ReadWork;

/**
 * The terms of reads on an event loop: what is in memory, and little of it; and what has a copy on the local disk, for it is
 * in the system's memory where it is read often. Whether it is nothing tells but the time that it took. One that was not has none read
 * here for a second, or for a hundred times as long as it took: slow ones take no more than a hundredth of a loop's time, whatever is
 * wrong with the disk. A loop serves many connections, so each has an
 * allowance that grows with time, by more than look-ups of small cells take at full speed: what takes it up is a scan, or
 * somebody who asks for large rows again and again. One thread.
 */
final class LoopRead implements ReadWork.Terms {
    /** What one read may go: about 0.1 ms. */
    private static final long STEPS_OF_A_READ = 1_000;

    private static final long LEAST_STEPS = 100;
    private static final long MAX_ALLOWANCE = 8_000;

    /** Two thirds of a loop's time at most: a step takes about 100. */
    private static final long NANOS_PER_STEP = 150;

    private static final long NEVER = Long.MIN_VALUE;

    /** A copy that takes longer comes from the disk. */
    private static final long SLOW_NANOS = 500_000;

    private static final long REST_NANOS = 1_000_000_000;

    /** A disk that has failed to answer for ten seconds is tried again after a quarter of an hour. */
    private static final long REST_OF_SLOW = 100;

    private static final ThreadLocal<LoopRead> OF_THREAD = ThreadLocal.withInitial(LoopRead::new);

    private long allowance;
    private long grownNanos = NEVER;
    private long given;
    private Clock clock = Clock.system();

    /** No copy is read before. */
    private long copiesFrom = NEVER;

    private LoopRead() {}

    static LoopRead ofThread() {
        return OF_THREAD.get();
    }

    /** At a time that its clock told just now. False: it has to be done elsewhere. */
    boolean begin(ReadWork work, Clock by, long nowNanos) {
        clock = by;
        long elapsed = nowNanos - grownNanos;
        if (grownNanos == NEVER || elapsed < 0 || elapsed > MAX_ALLOWANCE * NANOS_PER_STEP) {
            allowance = MAX_ALLOWANCE;
            grownNanos = nowNanos;
        }
        long grown = (nowNanos - grownNanos) / NANOS_PER_STEP;
        grownNanos += grown * NANOS_PER_STEP;
        allowance = Math.min(MAX_ALLOWANCE, allowance + grown);
        if (allowance < LEAST_STEPS) {
            return false;
        }
        given = Math.min(allowance, STEPS_OF_A_READ);
        work.begin(this, given);
        return true;
    }

    void end(ReadWork work) {
        allowance -= given - work.left();
        work.end();
    }

    @Override
    public boolean mayReadCopies() {
        return copiesFrom == NEVER || clock.nanos() - copiesFrom >= 0;
    }

    @Override
    public long nanos() {
        return clock.nanos();
    }

    @Override
    public void copyTook(long nanos) {
        copiesFrom = nanos > SLOW_NANOS ? clock.nanos() + Math.max(REST_NANOS, REST_OF_SLOW * nanos) : NEVER;
    }

    @Override
    public boolean mayWait() {
        return false;
    }

    @Override
    public long more() {
        throw new HandOver();
    }

    @Override
    public void beforeWaiting() {
        throw new HandOver();
    }

    @Override
    public void hold(long bytes) {
        throw new HandOver();
    }

    /** The read has to begin again where it may wait. Nothing went wrong. */
    static final class HandOver extends RuntimeException {
        HandOver() {
            // Without a stack trace, which would cost more than the read so far.
            super("to a thread that may wait", null, false, false);
        }
    }
}
