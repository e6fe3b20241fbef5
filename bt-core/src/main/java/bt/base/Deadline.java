package bt.base;

/** When to give up, on the monotonic clock. */
public record Deadline(Clock clock, long nanos) {
    public static Deadline after(Clock clock, long millis) {
        return new Deadline(clock, clock.nanos() + millis * 1_000_000);
    }

    /** At least 0. */
    public long leftMillis() {
        return Math.max(0, (nanos - clock.nanos()) / 1_000_000);
    }

    public boolean isOver() {
        return leftMillis() == 0;
    }
}
