package bt.command;

import bt.base.BigtableException;

/** What {@code bt} tells the shell. */
public final class ExitCode {
    /** It is done. */
    public static final int DONE = 0;

    /** Nothing was found, a condition did not hold, or what was looked at is not as it should be. */
    public static final int NOTHING_FOUND = 1;

    /** The mistake is in the words, in what they name, or in the rights of the user. */
    public static final int REJECTED = 2;

    /** UNAVAILABLE or OVERLOADED: to be tried again later. */
    public static final int UNAVAILABLE = 3;

    /** Something on disk is damaged. */
    public static final int CORRUPTION = 4;

    /** FENCED, or a bug. */
    public static final int INTERNAL = 5;

    private ExitCode() {}

    /** That of a command which failed so. */
    public static int of(BigtableException failure) {
        return switch (failure.kind()) {
            case REJECTED -> REJECTED;
            case UNAVAILABLE, OVERLOADED -> UNAVAILABLE;
            case CORRUPTION -> CORRUPTION;
            case FENCED -> INTERNAL;
        };
    }
}
