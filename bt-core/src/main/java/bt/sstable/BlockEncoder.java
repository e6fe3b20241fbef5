package bt.sstable;

/** What compresses blocks. */
public interface BlockEncoder {
    /** What the trailer of a block says; never changes. */
    int number();

    /** The most bytes that {@code length} may become. */
    int maxCompressedBytes(int length);

    /**
     * Compresses the first {@code length} bytes of {@code source}; the size of what is in {@code target} then, which has
     * {@link #maxCompressedBytes} at least.
     */
    int compress(byte[] source, int length, byte[] target);
}
