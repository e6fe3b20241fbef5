package bt.fs;

import bt.base.BigtableException;

/** A closed file. Any number of threads. */
public interface FileReader extends AutoCloseable {
    String path();

    long length();

    /** Fills {@code target[offset, offset + length)} with what lies at {@code position}; CORRUPTION past the end. */
    void readFully(long position, byte[] target, int offset, int length) throws BigtableException;

    @Override
    void close();
}
