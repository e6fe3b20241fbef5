package bt.sstable;

/**
 * Where a thread puts the compressed bytes of a block that it reads, until they are decompressed: half of what a look-up of
 * a block that no cache has would leave behind. One for each thread that ever read a block, of a bounded size.
 */
final class ReadBuffer {
    /** Above the usual block with all that a codec may add to it. */
    static final int MAX_BYTES = 256 << 10;

    private static final ThreadLocal<ReadBuffer> OF_THREAD = ThreadLocal.withInitial(ReadBuffer::new);

    private byte[] array = {};

    private ReadBuffer() {}

    /** An array of at least that many bytes, the calling thread's own until its next call, unless it {@link #isNew}. */
    static byte[] ofBytes(int bytes) {
        return isNew(bytes) ? new byte[bytes] : OF_THREAD.get().atLeast(bytes);
    }

    /** Whether an array of so many bytes is made for whoever asks, who may keep it. */
    static boolean isNew(int bytes) {
        return bytes > MAX_BYTES;
    }

    private byte[] atLeast(int bytes) {
        if (array.length < bytes) {
            array = new byte[Math.min(MAX_BYTES, Math.max(bytes, 2 * array.length))];
        }
        return array;
    }
}
