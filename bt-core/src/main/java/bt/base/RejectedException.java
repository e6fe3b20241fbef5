package bt.base;

/**
 * The caller's mistake: an unknown table, a key too long, a condition that does not hold. A retry fails the same way, so
 * none is made without saying what to do instead. A tablet server checks that a request is well-formed and its sender
 * allowed to make it (section 5.3 of the paper).
 */
public final class RejectedException extends BigtableException {
    /**
     * Nothing was applied. What a {@code Table.transact} throws to end it is one too. The message is subject and fact,
     * and ends with the advice: what the caller can do about it.
     */
    public RejectedException(String fact, String advice) {
        this(fact, advice, Outcome.NOT_APPLIED);
    }

    /** UNKNOWN: it is refused as a retry of which nobody can tell any more whether a copy of it was applied before. */
    public RejectedException(String fact, String advice, Outcome outcome) {
        this(MistakeException.message(fact, advice), outcome);
    }

    /** As another process, which had an advice for it, has made it. */
    RejectedException(String message, Outcome outcome) {
        super(message, outcome);
    }

    /** A value that cannot be, in what a caller asks: with its own advice, or this one where it has none. */
    public static RejectedException of(RuntimeException mistake, String advice) {
        return new RejectedException(MistakeException.advised(mistake, advice), Outcome.NOT_APPLIED);
    }

    /** The same with what it is about in front. */
    public static RejectedException of(String subject, RuntimeException mistake, String advice) {
        return new RejectedException(subject + ": " + MistakeException.advised(mistake, advice), Outcome.NOT_APPLIED);
    }

    @Override
    public Kind kind() {
        return Kind.REJECTED;
    }
}
