package bt.base;

/** A bound is reached: come back in {@link #retryAfterMillis}. Nothing was applied. */
public final class OverloadedException extends BigtableException {
    private final long retryAfterMillis;

    public OverloadedException(String message, long retryAfterMillis) {
        super(message, Outcome.NOT_APPLIED);
        this.retryAfterMillis = retryAfterMillis;
    }

    public long retryAfterMillis() {
        return retryAfterMillis;
    }

    @Override
    public Kind kind() {
        return Kind.OVERLOADED;
    }
}
