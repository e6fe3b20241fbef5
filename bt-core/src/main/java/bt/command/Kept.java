package bt.command;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * What commands have opened, for those that come after them: {@code bt shell} has one connection for all its commands, a
 * command line one of its own. One thread.
 */
public final class Kept implements AutoCloseable {
    private final Map<Key, AutoCloseable> things = new HashMap<>();

    /** How a thing is opened that is not there yet. */
    @FunctionalInterface
    public interface Opening<T, E extends Exception> {
        /** A new one, which is whoever calls this to close. */
        T open() throws E;
    }

    /** The thing of this type and name; opened now if no command has opened it before. Not the caller's to close. */
    public <T extends AutoCloseable, E extends Exception> T get(Class<T> type, String name, Opening<T, E> opening)
            throws E {
        Key key = new Key(type, name);
        AutoCloseable there = things.get(key);
        if (there != null) {
            return type.cast(there);
        }
        T opened = opening.open();
        things.put(key, opened);
        return opened;
    }

    /** What cannot be closed leaves the others to be closed, and is told in the end. */
    @Override
    public void close() throws IOException {
        IOException failures = new IOException("not everything could be closed");
        for (AutoCloseable thing : things.values()) {
            try {
                thing.close();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            } catch (Exception failed) {
                failures.addSuppressed(failed);
            }
        }
        things.clear();
        if (failures.getSuppressed().length > 0) {
            throw failures;
        }
    }

    private record Key(Class<?> type, String name) {}
}
