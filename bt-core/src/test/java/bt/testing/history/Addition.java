package bt.testing.history;

import bt.testing.history.Operation.Result;
import java.util.Locale;

/**
 * What one client added to a value and was told. Times are of one clock, in nanoseconds.
 *
 * @param what tells it from every other addition to the value
 * @param total of the value with this in it, as the client was told
 */
public record Addition(String client, String what, long begunNanos, long endedNanos, Result result, long total) {
    /** One that has no answer yet. */
    public static Addition of(String client, String what, long begunNanos) {
        return new Addition(client, what, begunNanos, Operation.NEVER, Result.UNKNOWN, 0);
    }

    public Addition done(long sum, long nanos) {
        return new Addition(client, what, begunNanos, nanos, Result.DONE, sum);
    }

    /** It was not done for certain, or nobody knows: then it has no end, whenever the client gave up. */
    public Addition failed(Result told, long nanos) {
        return new Addition(client, what, begunNanos, told == Result.UNKNOWN ? Operation.NEVER : nanos, told, 0);
    }

    /** Whether it may have changed the value. */
    public boolean mayHaveAdded() {
        return result == Result.DONE || result == Result.UNKNOWN;
    }

    @Override
    public String toString() {
        String ended = endedNanos == Operation.NEVER ? "?" : String.format(Locale.ROOT, "%.4f", endedNanos / 1e9);
        return String.format(
                        Locale.ROOT, "%10.4f - %10s  %s  adds %s: %s", begunNanos / 1e9, ended, client, what, result)
                + (result == Result.DONE ? ", " + total : "");
    }
}
