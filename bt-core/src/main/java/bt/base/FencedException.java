package bt.base;

/**
 * We lost our lock, or our lease on a file: stop serving. A tablet server that has lost its lock stops serving (section
 * 5.2 of the paper).
 */
public final class FencedException extends BigtableException {
    /** Of a write, its outcome is UNKNOWN. */
    public FencedException(String message) {
        this(message, Outcome.UNKNOWN);
    }

    /** For who knows what became of the write. */
    public FencedException(String message, Outcome outcome) {
        super(message, outcome);
    }

    @Override
    public Kind kind() {
        return Kind.FENCED;
    }
}
