package bt.fs;

import bt.base.BigtableException;
import java.util.List;

/**
 * A replicated file system of append-only files (section 4 of the paper). A path is relative to the root of the cluster,
 * written as {@link FilePaths} says. Every method blocks. What the file system cannot do now is UNAVAILABLE; a path that
 * is not there is UNAVAILABLE too and says so; a path that must not be there is REJECTED.
 */
public interface FileStore {
    /**
     * Creates a file and holds its lease. REJECTED when the path exists; UNAVAILABLE when its directory does not, which
     * is how a renamed log directory stops its former writer.
     */
    FileWriter create(String path, Placement placement) throws BigtableException;

    /** Opens a file that is closed or fenced: an open one has no length that can be trusted. */
    FileReader open(String path) throws BigtableException;

    /** Makes a directory and what leads to it; nothing happens where it exists. */
    void makeDirectory(String path) throws BigtableException;

    /** What lies directly in a directory, by name; empty when there is no such directory. */
    List<FileInfo> list(String directory) throws BigtableException;

    /** Atomic. REJECTED when {@code to} exists, UNAVAILABLE when {@code from} does not. */
    void rename(String from, String to) throws BigtableException;

    /** Removes a file, or a directory with all that is in it. True if something was there. */
    boolean delete(String path) throws BigtableException;

    /** Removes what a failed attempt has left. Never fails: what goes wrong joins that failure. */
    default void discard(String path, Exception why) {
        try {
            delete(path);
        } catch (BigtableException left) {
            why.addSuppressed(left);
        }
    }

    /**
     * Takes the file from whoever writes it, and waits until it is closed: what was flushed before stays readable, and
     * the former writer's next flush, sync or close fails FENCED; an append may still be taken, into nowhere. The length
     * it was closed with. Repeatable; a closed file is left as it is. UNAVAILABLE when the time is over first, and the closing
     * goes on: who gives no time begins it, or looks whether it is done, and may look often.
     */
    long fence(String path, long timeoutMillis) throws BigtableException, InterruptedException;

    /** Hosts that hold the file's bytes, each by all its names, the one with most of them first; empty where nobody can say. */
    List<String> hosts(String path) throws BigtableException;

    /** How a new file's bytes are kept. */
    enum Placement {
        /** A commit log: synced as it is written, never erasure-coded. */
        LOG,
        /**
         * A whole file that counts once it is closed: on disk, every block, when {@link FileWriter#close} returns, and with
         * two hosts at least where the file system keeps as many. It goes to the disks {@value #DATA_AT_ONCE_BYTES} bytes at
         * a time: whoever syncs a log on the same disk may have to wait for what others have in memory there.
         */
        DATA;

        /** Of a file of data, what is not on the disks yet while it is written. */
        public static final int DATA_AT_ONCE_BYTES = 4 << 20;
    }
}
