package bt.coord;

import bt.base.BigtableException;
import bt.base.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A highly available store of small files and locks (Chubby in the paper, ZooKeeper here). A path is relative to the
 * cluster's directory, its parts parted by {@code /}. Every method blocks, at most for the service's own time-out, and
 * is UNAVAILABLE afterwards: a write's outcome is then UNKNOWN and the caller reads again before it decides.
 */
public interface LockService extends AutoCloseable {
    /** The newest content: what was written before the call is seen (in ZooKeeper: sync, then read). */
    Optional<SmallFile> read(String path) throws BigtableException;

    /** The same of each of many paths, in their order, each as of a moment after the call; a service may be asked for many at a time. */
    default List<Optional<SmallFile>> readEach(List<String> paths) throws BigtableException {
        List<Optional<SmallFile>> files = new ArrayList<>();
        for (String path : paths) {
            files.add(read(path));
        }
        return files;
    }

    /** Creates a file and what leads to it. REJECTED when it exists. */
    SmallFile create(String path, Bytes content) throws BigtableException;

    /** Replaces the content if the file still has that version, else REJECTED. The new state. */
    SmallFile write(String path, Bytes content, long version) throws BigtableException;

    /**
     * Deletes a file; nothing happens where there is none. REJECTED while it has children: so a server's file cannot be
     * deleted under its lock, but by who holds another ({@link Lock#deleteWithChildren}).
     */
    void delete(String path) throws BigtableException;

    /** Names directly below a path, sorted; empty when there is no such path. As new as {@link #read}. */
    List<String> children(String path) throws BigtableException;

    /** The same of each of many paths, in their order, each as of a moment after the call; a service may take them together. */
    default List<List<String>> childrenOfEach(List<String> paths) throws BigtableException {
        List<List<String>> children = new ArrayList<>();
        for (String path : paths) {
            children.add(children(path));
        }
        return children;
    }

    /**
     * Creates a file that lives as long as this session, unless it exists: an exclusive lock. Empty when another holds
     * it. The file's parent must exist: UNAVAILABLE else, which tells a server that it was declared dead.
     */
    Optional<Lock> tryLock(String path, Bytes owner) throws BigtableException;

    /**
     * Calls {@code changed} on a thread of the service, soon after the file at {@code path} was written, it or a child of it
     * came or went, and whenever a change may have been missed. A hint to look again, never a fact. Closing ends it.
     */
    Watch watch(String path, Runnable changed) throws BigtableException;

    /** Who may do what with its files; empty where it keeps nobody from anything. */
    default Optional<FileRights> rights() {
        return Optional.empty();
    }

    /** Ends the session: its locks are released at once. */
    @Override
    void close();

    /** A running watch. */
    interface Watch extends AutoCloseable {
        @Override
        void close();
    }
}
