package bt.sstable;

/** What makes blocks of their compressed bytes again. Any thread, many at once. */
public interface BlockDecoder {
    /** For messages. */
    String name();

    /** The most that {@code size} compressed bytes can stand for: a block that claims more is damaged. */
    long maxUncompressedBytes(int size);

    /**
     * Fills {@code target} exactly; false when the bytes do not stand for just as many. Whatever the bytes are, nothing is
     * thrown and no more is allocated than some multiple of {@code target}.
     */
    boolean decompress(byte[] source, int from, int size, byte[] target);

    /** What it needs of the heap meanwhile, beside source and target. */
    default int workingBytes(int uncompressed) {
        return 0;
    }
}
