package bt.examples.chaos;

import java.util.Optional;

/** All operations of one value of a register, as far as {@link Linearizability} needs them. One thread. */
final class Span {
    private final long value;
    private boolean written;
    private boolean writeIsKnown;
    private long writeBegin = Long.MIN_VALUE;
    private long firstEnd = Long.MAX_VALUE;
    private long lastBegin = Long.MIN_VALUE;
    private long firstReadEnd = Long.MAX_VALUE;
    private int reads;

    /** That of the value which is there from the beginning has been written before everything. */
    Span(long value) {
        this.value = value;
        if (value == Linearizability.NOTHING) {
            written = true;
            writeIsKnown = true;
            firstEnd = Long.MIN_VALUE;
        }
    }

    void add(Operation operation) {
        if (operation.isWrite()) {
            written = true;
            writeIsKnown = operation.isKnown();
            writeBegin = operation.beginNanos();
        } else {
            reads++;
            firstReadEnd = Math.min(firstReadEnd, operation.endNanos());
        }
        firstEnd = Math.min(firstEnd, operation.latestNanos());
        lastBegin = Math.max(lastBegin, operation.beginNanos());
    }

    Optional<String> complaint() {
        if (!written) {
            return Optional.of("value " + value + " was read and never written");
        }
        return reads > 0 && firstReadEnd < writeBegin
                ? Optional.of("value " + value + " was read before it was written")
                : Optional.empty();
    }

    /** Whether it must have been there for a while. */
    boolean isForward() {
        return firstEnd < lastBegin;
    }

    /** A write of unknown outcome that nobody has read need never have happened. */
    boolean mustHaveBeen() {
        return reads > 0 || (writeIsKnown && value != Linearizability.NOTHING);
    }

    long low() {
        return Math.min(firstEnd, lastBegin);
    }

    long high() {
        return Math.max(firstEnd, lastBegin);
    }

    @Override
    public String toString() {
        return "value " + value + " (" + low() + " to " + high() + " ns)";
    }
}
