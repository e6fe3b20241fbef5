package bt.base;

/** Not here, or not now: locate again and retry. */
public final class UnavailableException extends BigtableException {
    public UnavailableException(String message) {
        this(message, Outcome.UNKNOWN);
    }

    public UnavailableException(String message, Outcome outcome) {
        super(message, outcome);
    }

    @Override
    public Kind kind() {
        return Kind.UNAVAILABLE;
    }
}
