package bt.base;

/**
 * Bytes at rest or on the wire are not what was written. Stop using that file. The paper names it among what went wrong
 * (section 9).
 */
public final class CorruptionException extends BigtableException {
    /** Of a write, its outcome is UNKNOWN. */
    public CorruptionException(String message) {
        this(message, Outcome.UNKNOWN);
    }

    /** For who knows what became of the write. */
    public CorruptionException(String message, Outcome outcome) {
        super(message, outcome);
    }

    @Override
    public Kind kind() {
        return Kind.CORRUPTION;
    }
}
