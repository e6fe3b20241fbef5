package bt.thrift.convert;

import bt.base.BigtableException;
import bt.base.OverloadedException;
import bt.thrift.gen.BigtableError;
import bt.thrift.gen.ErrorKind;
import bt.thrift.gen.Outcome;

/** The five kinds of error. */
public final class Errors {
    private Errors() {}

    public static BigtableError of(BigtableException failure) {
        long retryAfterMillis = failure instanceof OverloadedException overloaded ? overloaded.retryAfterMillis() : 0;
        return new BigtableError(kind(failure), outcome(failure), retryAfterMillis, failure.getMessage());
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
