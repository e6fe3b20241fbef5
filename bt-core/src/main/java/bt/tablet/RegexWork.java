package bt.tablet;

import bt.base.BigtableException;
import bt.base.Clock;
import bt.base.RejectedException;
import bt.model.Regex;
import bt.sstable.ReadWork;

/**
 * What the regular expressions of one page do, or of all pages of an {@link Effort}. A value may have 64 MiB, and an expression go 2,000 steps for each byte of it,
 * some 40 microseconds: so their steps count as bytes that the page has looked at, and end it; somebody looks once in a
 * millisecond whether anyone still waits; and of what takes too long even so, one value or one row that a condition asks about,
 * nothing is tried again. One thread.
 */
final class RegexWork implements Regex.Watch {
    /** Processor time of one page, or effort, as scripts have it for a page. */
    static final long MOST_NANOS = 5_000_000_000L;

    /** No step takes longer: what else the thread has done between two looks is not theirs. */
    private static final long MOST_NANOS_OF_A_STEP = 50;

    /** As much work for {@link ReadWork} as the steps between two looks. */
    private static final int BYTES_BETWEEN_LOOKS = 1 << 20;

    private final Clock clock;
    private long steps;
    private boolean looked;
    private long lookedAtNanos;
    private long spentNanos;

    RegexWork(Clock clock) {
        this.clock = clock;
    }

    @Override
    public void worked(Regex regex, long more) throws BigtableException {
        steps += more;
        ReadWork.ofThread().take(BYTES_BETWEEN_LOOKS);
        long nowNanos = clock.cpuNanos();
        if (looked) {
            spentNanos += Math.min(nowNanos - lookedAtNanos, more * MOST_NANOS_OF_A_STEP);
        }
        looked = true;
        lookedAtNanos = nowNanos;
        if (spentNanos > MOST_NANOS) {
            throw new RejectedException(
                    "regular expression " + regex + ": more than " + MOST_NANOS / 1_000_000
                            + " ms of processor time for one page of a read, or one write's condition",
                    "look for less, or in smaller values");
        }
    }

    /** Those since this was asked last. */
    long takeSteps() {
        long taken = steps;
        steps = 0;
        return taken;
    }
}
