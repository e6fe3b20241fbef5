package bt.fs;

import bt.base.BigtableException;
import bt.base.UnavailableException;
import java.io.IOException;

/**
 * The cause of an UNAVAILABLE of a {@link FileStore} that answered: it takes nothing now, from anybody, for it has no room,
 * too few datanodes, or is not to be written to. Whoever is told so is no worse off than others.
 */
public final class NoRoomException extends IOException {
    private static final long serialVersionUID = 1;

    private NoRoomException(String message) {
        super(message);
    }

    public static BigtableException unavailable(String message) {
        return new UnavailableException(message).causedBy(new NoRoomException(message));
    }

    public static BigtableException unavailable(String message, Throwable why) {
        NoRoomException cause = new NoRoomException(message);
        cause.initCause(why);
        return new UnavailableException(message).causedBy(cause);
    }

    public static boolean isCauseOf(BigtableException failure) {
        return failure.getCause() instanceof NoRoomException;
    }
}
