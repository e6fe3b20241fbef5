package bt.base;

/**
 * Something that gets less, and is waited for as long as it does: not for ever, and not when nothing has gone for a while. One
 * thread says how much is left, any asks.
 */
public final class Dwindling {
    private final Clock clock;
    private final long stillMillis;
    private final Deadline end;

    /** That thread's. */
    private long fewest = Long.MAX_VALUE;

    private volatile Deadline still;

    /** {@code stillMillis} is how long none may go. */
    public Dwindling(Clock clock, long stillMillis, Deadline end) {
        this.clock = clock;
        this.stillMillis = stillMillis;
        this.end = end;
        this.still = Deadline.after(clock, stillMillis);
    }

    /** So many are left now. */
    public void saw(long left) {
        if (left < fewest) {
            fewest = left;
            someHasGone();
        }
    }

    /** The same of something of which others may come to be known while it goes, so that how much is left tells nothing. */
    public void someHasGone() {
        still = Deadline.after(clock, stillMillis);
    }

    /** When to give up, should none go until then. */
    public Deadline deadline() {
        Deadline now = still;
        return now.nanos() - end.nanos() < 0 ? now : end;
    }

    public boolean isOver() {
        return deadline().isOver();
    }
}
