package bt.base;

/**
 * Not here, or not now: locate again and retry. A client that finds a tablet no more where it was looks for it again
 * (section 5.1 of the paper).
 */
public final class UnavailableException extends BigtableException {
    /** Of a write, its outcome is UNKNOWN. */
    public UnavailableException(String message) {
        this(message, Outcome.UNKNOWN);
    }

    /** For who knows what became of the write. */
    public UnavailableException(String message, Outcome outcome) {
        super(message, outcome);
    }

    @Override
    public Kind kind() {
        return Kind.UNAVAILABLE;
    }
}
