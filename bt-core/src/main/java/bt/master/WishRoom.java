package bt.master;

import bt.base.OverloadedException;
import java.util.HashMap;
import java.util.Map;

/**
 * How much all that is asked of tables may have, moves, splits and merges together: a master keeps it in memory, and so does the
 * one that follows it. Each table has a bound of its own, but there may be any number of tables. Owned by the master's thread.
 */
final class WishRoom {
    /** Of files; what is made of them is some times that. */
    static final long MOST_BYTES = 16 << 20;

    private static final long COME_BACK_MILLIS = 5_000;

    private final Map<String, Integer> files = new HashMap<>();
    private long bytes;

    /** OVERLOADED where a file that is to be longer than it was would be too much. */
    void check(String path, int length, String subject) throws OverloadedException {
        int before = files.getOrDefault(path, 0);
        if (length > before && bytes - before + length > MOST_BYTES) {
            throw new OverloadedException(
                    subject + ": what is asked of tables and under way has " + bytes + " bytes together, of "
                            + MOST_BYTES + ": wait for some of it",
                    COME_BACK_MILLIS);
        }
    }

    /** Whatever it came to: what the lock service has is there. */
    void has(String path, int length) {
        Integer before = files.put(path, length);
        bytes += length - (before == null ? 0 : before);
    }

    void forget(String path) {
        Integer before = files.remove(path);
        bytes -= before == null ? 0 : before;
    }
}
