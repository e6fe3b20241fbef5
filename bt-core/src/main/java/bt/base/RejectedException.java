package bt.base;

/**
 * The caller's mistake: an unknown table, a key too long, a condition that does not hold. A retry fails the same way. A
 * tablet server checks that a request is well-formed and its sender allowed to make it (section 5.3 of the paper).
 */
public final class RejectedException extends BigtableException {
    /**
     * Nothing was applied. What a {@code Table.transact} throws to end it is one too: the message says subject, fact,
     * and what to do.
     */
    public RejectedException(String message) {
        super(message, Outcome.NOT_APPLIED);
    }

    /** UNKNOWN: it is refused as a retry of which nobody can tell any more whether a copy of it was applied before. */
    public RejectedException(String message, Outcome outcome) {
        super(message, outcome);
    }

    @Override
    public Kind kind() {
        return Kind.REJECTED;
    }
}
