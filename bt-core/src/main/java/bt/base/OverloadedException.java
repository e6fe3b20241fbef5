package bt.base;

/** A bound is reached: come back in {@link #retryAfterMillis}. Nothing was applied. The paper has no such answer. */
public final class OverloadedException extends BigtableException {
    private final long retryAfterMillis;

    /** To be tried again in so many milliseconds, and no earlier. */
    public OverloadedException(String message, long retryAfterMillis) {
        super(message, Outcome.NOT_APPLIED);
        this.retryAfterMillis = retryAfterMillis;
    }

    /** What others have changed each time that it was tried: it may be tried again at once. Whoever gives up says what helps. */
    public static OverloadedException contended(String message) {
        OverloadedException contended = new OverloadedException(message, 0);
        BigtableException unused = contended.advising(Advice.ALONE);
        return contended;
    }

    /** For how long the one who refused wants to be left alone, in milliseconds. */
    public long retryAfterMillis() {
        return retryAfterMillis;
    }

    @Override
    public Kind kind() {
        return Kind.OVERLOADED;
    }
}
