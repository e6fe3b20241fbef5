package bt.base;

/** Bytes at rest or on the wire are not what was written. Stop using that file. */
public final class CorruptionException extends BigtableException {
    public CorruptionException(String message) {
        this(message, Outcome.UNKNOWN);
    }

    public CorruptionException(String message, Outcome outcome) {
        super(message, outcome);
    }

    @Override
    public Kind kind() {
        return Kind.CORRUPTION;
    }
}
