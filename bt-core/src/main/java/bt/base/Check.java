package bt.base;

import com.google.errorprone.annotations.FormatMethod;

/** Bugs, told apart by whose they are: the caller's or ours. What may happen on a bad day is a {@link BigtableException}. */
public final class Check {
    private Check() {}

    /** The caller broke a promise. */
    @FormatMethod
    public static void checkArgument(boolean holds, String message, Object... args) {
        if (!holds) {
            throw new IllegalArgumentException(Messages.oneLine(String.format(message, args)));
        }
    }

    /** The caller gave a value that cannot be: what is wrong, and what to do about it, in one format of all the arguments. */
    public static void checkGiven(boolean holds, String fact, String advice, Object... args) {
        if (!holds) {
            throw MistakeException.format(fact, advice, args);
        }
    }

    /** We broke a promise. For what is asked at every step: nothing is made of the message while it holds. */
    public static void checkState(boolean holds, String message) {
        if (!holds) {
            throw new IllegalStateException(message);
        }
    }

    /** We broke a promise. */
    @FormatMethod
    public static void checkState(boolean holds, String message, Object... args) {
        if (!holds) {
            throw new IllegalStateException(String.format(message, args));
        }
    }
}
