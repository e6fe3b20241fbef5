package bt.base;

/** We lost our lock, or our lease on a file: stop serving. */
public final class FencedException extends BigtableException {
    public FencedException(String message) {
        this(message, Outcome.UNKNOWN);
    }

    public FencedException(String message, Outcome outcome) {
        super(message, outcome);
    }

    @Override
    public Kind kind() {
        return Kind.FENCED;
    }
}
