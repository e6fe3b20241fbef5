package bt.base;

/** The caller's mistake: an unknown table, a key too long, a condition that does not hold. A retry fails the same way. */
public final class RejectedException extends BigtableException {
    public RejectedException(String message) {
        super(message, Outcome.NOT_APPLIED);
    }

    @Override
    public Kind kind() {
        return Kind.REJECTED;
    }
}
