package bt.fs;

import bt.base.BigtableException;

/** A closed file. Any number of threads. */
public interface FileReader extends AutoCloseable {
    String path();

    long length();

    /** Fills {@code target[offset, offset + length)} with what lies at {@code position}; CORRUPTION past the end. */
    void readFully(long position, byte[] target, int offset, int length) throws BigtableException;

    /**
     * Whether the store compares what a read gives with checksums of its own, from when it was written: what it gives is
     * then what was handed over to it.
     */
    default boolean verifies() {
        return false;
    }

    @Override
    void close();
}
