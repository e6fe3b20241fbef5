package bt.command;

import bt.base.BigtableException;

/** What {@code bt} tells the shell. */
public final class ExitCode {
    public static final int DONE = 0;
    public static final int NOTHING_FOUND = 1;
    public static final int REJECTED = 2;
    public static final int UNAVAILABLE = 3;
    public static final int CORRUPTION = 4;
    public static final int INTERNAL = 5;

    private ExitCode() {}

    public static int of(BigtableException failure) {
        return switch (failure.kind()) {
            case REJECTED -> REJECTED;
            case UNAVAILABLE, OVERLOADED -> UNAVAILABLE;
            case CORRUPTION -> CORRUPTION;
            case FENCED -> INTERNAL;
        };
    }
}
