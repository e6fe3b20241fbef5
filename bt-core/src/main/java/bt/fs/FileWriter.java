package bt.fs;

import bt.base.BigtableException;

/** The only writer of a file. One thread at a time. After a failure only {@link #close} may follow. */
public interface FileWriter extends AutoCloseable {
    /**
     * What is kept and checked as one. Where an append is torn, by a power cut or a full disk, the chunk that it began in
     * may be lost with it, and with the chunk what had been flushed or synced in it before: who promises something of a file
     * that goes on fills the chunk first.
     */
    int CHUNK_BYTES = 512;

    String path();

    /** Bytes appended so far. */
    long position();

    /** Appends. Nothing is promised until {@link #flush}, {@link #sync} or {@link #close}. The array may be reused. */
    void append(byte[] bytes, int offset, int length) throws BigtableException;

    /** Every replica has what was appended, in memory: it survives the death of this process. */
    void flush() throws BigtableException;

    /** Every replica has it on disk. */
    void sync() throws BigtableException;

    /** Completes the file; what holds then {@link FileStore.Placement} says. */
    @Override
    void close() throws BigtableException;

    /**
     * Whether fewer replicas are kept of what is written now than two, where the file system was asked for as many: it
     * mends no file that is open, a new one would be safer. Never blocks.
     */
    default boolean isThin() {
        return false;
    }

    /** Gives the file up without completing it; whoever needs it fences it. Never fails. */
    void abandon();
}
