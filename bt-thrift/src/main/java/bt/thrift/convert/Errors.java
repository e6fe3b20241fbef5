package bt.thrift.convert;

import bt.base.BigtableException;
import bt.base.OverloadedException;
import bt.thrift.gen.BigtableError;
import bt.thrift.gen.ErrorKind;
import bt.thrift.gen.Outcome;

/** The five kinds of error. */
public final class Errors {
    /** Ten thousand of them fit a frame. */
    private static final int MOST_CHARS = 1_000;

    private Errors() {}

    public static BigtableError of(BigtableException failure) {
        long retryAfterMillis = failure instanceof OverloadedException overloaded ? overloaded.retryAfterMillis() : 0;
        return new BigtableError(kind(failure), outcome(failure), retryAfterMillis, failure.getMessage());
    }

    /** One of many in an answer: of a message that holds long keys the middle is left out. */
    public static BigtableError brief(BigtableException failure) {
        BigtableError error = of(failure);
        return error.setMessage(cut(failure.getMessage()));
    }

    /** What is wrong stands behind the key of the row, how often it was tried at the end. */
    static String cut(String message) {
        int half = MOST_CHARS / 2;
        return message.length() <= MOST_CHARS
                ? message
                : message.substring(0, half - 3) + "..." + message.substring(message.length() - half);
    }

    private static ErrorKind kind(BigtableException failure) {
        return switch (failure.kind()) {
            case CORRUPTION -> ErrorKind.CORRUPTION;
            case UNAVAILABLE -> ErrorKind.UNAVAILABLE;
            case OVERLOADED -> ErrorKind.OVERLOADED;
            case REJECTED -> ErrorKind.REJECTED;
            case FENCED -> ErrorKind.FENCED;
        };
    }

    private static Outcome outcome(BigtableException failure) {
        return switch (failure.outcome()) {
            case NOT_APPLIED -> Outcome.NOT_APPLIED;
            case UNKNOWN -> Outcome.UNKNOWN;
        };
    }
}
