package bt.base;

import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/** Brings what a future failed with back into the five kinds. */
public final class Failures {
    private Failures() {}

    /**
     * For {@code throw Failures.rethrow(cause)}: a {@link BigtableException} comes back to be thrown, a bug is thrown as
     * what it is.
     */
    public static BigtableException rethrow(Throwable failure) {
        Throwable cause = unwrap(failure);
        if (cause instanceof BigtableException expected) {
            return expected;
        }
        if (cause instanceof RuntimeException bug) {
            throw bug;
        }
        if (cause instanceof Error error) {
            throw error;
        }
        throw new IllegalStateException(cause);
    }

    /** For a line that tells it: the message of one of the five kinds; of a bug its name as well. */
    public static String said(Throwable failure) {
        return failure instanceof BigtableException expected ? expected.getMessage() : failure.toString();
    }

    public static Throwable unwrap(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }
}
