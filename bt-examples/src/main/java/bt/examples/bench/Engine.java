package bt.examples.bench;

import bt.base.BigtableException;

/**
 * A storage engine under test, with one directory to itself and the {@link Entries} that it was opened for. Any thread,
 * unless a method says otherwise.
 */
interface Engine extends AutoCloseable {
    /** Its name among the results. */
    String system();

    /** The calling thread's own door; closed by that thread or after it. */
    Session session();

    /** Returns when all that was written is in files, and on disk. */
    void flush() throws Exception;

    /** Returns when all that is in files is in one sorted run. One thread. */
    void compact() throws Exception;

    @Override
    void close() throws BigtableException;

    /** One thread's reads and writes. */
    interface Session extends AutoCloseable {
        /** Writes entries as one batch, from the {@code first}-th on in the order of writing. */
        void write(int first, int count) throws Exception;

        /** Reads the value of entry {@code number} whole; false when it is not there or not right. */
        boolean get(int number) throws Exception;

        /** Looks for the absent key next to entry {@code number}; false when something was found. */
        boolean misses(int number) throws Exception;

        /** Reads all entries, keys and values, in order; how many there were. */
        long scan() throws Exception;

        @Override
        void close();
    }
}
