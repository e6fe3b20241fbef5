package bt.coord;

import bt.base.BigtableException;
import bt.base.Bytes;

/** An exclusive lock, held while its session lives. */
public interface Lock extends AutoCloseable {
    String path();

    /** The transaction that created the lock: a later holder's is higher. */
    long transaction();

    /**
     * Proves by a write, so by a majority of the service, that the lock is held. FENCED when it is lost for good,
     * UNAVAILABLE when the service did not answer and nothing is known.
     */
    void renew() throws BigtableException;

    /**
     * Creates a file in a directory that exists, in one transaction with the proof that the lock is held: what {@link #renew} told
     * before may be over. FENCED when the lock is lost for good, REJECTED when the file exists; nothing was created then.
     */
    void create(String path, Bytes content) throws BigtableException;

    /**
     * Replaces a file's content, if it still has that version, in one transaction with the proof that the lock is held. FENCED when
     * the lock is lost for good, REJECTED when the file has another version or is not there; nothing was written then. The new
     * state.
     */
    SmallFile write(String path, Bytes content, long version) throws BigtableException;

    /**
     * Deletes a file and what lies directly below it, locks of others too, in one transaction with the proof that this lock is
     * held; nothing where there is none. FENCED when the lock is lost for good; nothing was deleted then.
     */
    void deleteWithChildren(String path) throws BigtableException;

    /** Releases; never fails: what cannot be released ends with the session. */
    @Override
    void close();
}
