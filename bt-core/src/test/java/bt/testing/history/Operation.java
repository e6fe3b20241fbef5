package bt.testing.history;

import java.util.Locale;
import java.util.Optional;

/**
 * What one client did to one row and was told. A row is a register: it holds one value, or none. Times are of one clock,
 * in nanoseconds; what nobody knows the end of has none.
 *
 * @param expected of a {@link Kind#SWAP}: the value that the row had to have
 * @param value what a read saw, or what a write or a swap wrote; empty: no value, so a deletion
 */
public record Operation(
        String client,
        String row,
        Kind kind,
        Optional<String> expected,
        Optional<String> value,
        long begunNanos,
        long endedNanos,
        Result result) {
    /** The end of what has none. */
    public static final long NEVER = Long.MAX_VALUE;

    /** What was asked. */
    public enum Kind {
        READ,
        WRITE,
        /** A write on the condition that the row has the expected value. */
        SWAP
    }

    /** What the client was told. */
    public enum Result {
        DONE,
        /** The condition of a swap did not hold. */
        REFUSED,
        /** It was not done for certain. */
        FAILED,
        /** Nothing, or that nobody knows: it is done once, at any time from its beginning on, or never. */
        UNKNOWN
    }

    /** Of one moment that may be any between these. */
    public static Operation read(String client, String row, Optional<String> seen, long begunNanos, long endedNanos) {
        return new Operation(client, row, Kind.READ, Optional.empty(), seen, begunNanos, endedNanos, Result.DONE);
    }

    /** One that has no answer yet. */
    public static Operation write(String client, String row, Optional<String> value, long begunNanos) {
        return new Operation(client, row, Kind.WRITE, Optional.empty(), value, begunNanos, NEVER, Result.UNKNOWN);
    }

    /** One that has no answer yet. */
    public static Operation swap(
            String client, String row, Optional<String> expected, Optional<String> value, long begunNanos) {
        return new Operation(client, row, Kind.SWAP, expected, value, begunNanos, NEVER, Result.UNKNOWN);
    }

    /** The same, answered. An unknown outcome has no end, whenever the client gave up. */
    public Operation answered(Result told, long nanos) {
        return new Operation(
                client, row, kind, expected, value, begunNanos, told == Result.UNKNOWN ? NEVER : nanos, told);
    }

    /** Whether it may have changed the row. */
    public boolean mayHaveWritten() {
        return kind != Kind.READ && (result == Result.DONE || result == Result.UNKNOWN);
    }

    /** Whether all of it was over before the other began. */
    public boolean precedes(Operation later) {
        return endedNanos < later.begunNanos;
    }

    @Override
    public String toString() {
        String span = String.format(
                Locale.ROOT,
                "%10.4f - %10s",
                begunNanos / 1e9,
                endedNanos == NEVER ? "?" : String.format(Locale.ROOT, "%.4f", endedNanos / 1e9));
        String what =
                switch (kind) {
                    case READ -> "read " + text(value);
                    case WRITE -> "write " + text(value);
                    case SWAP -> "swap " + text(expected) + " for " + text(value);
                };
        return span + "  " + client + "  " + what + (result == Result.DONE ? "" : ": " + result);
    }

    private static String text(Optional<String> value) {
        return value.orElse("nothing");
    }
}
