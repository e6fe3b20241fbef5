package bt.sstable;

import bt.base.BigtableException;

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
    static byte[] ofBytes(int bytes) throws BigtableException {
        return isNew(bytes) ? newBytes(bytes) : OF_THREAD.get().atLeast(bytes);
    }

    /** Whether an array of so many bytes is made for whoever asks, who may keep it. */
    static boolean isNew(int bytes) {
        return bytes > MAX_BYTES;
    }

    /** A new array, for which the present read has to find room where it is large, until it has come past it. */
    static byte[] newBytes(int bytes) throws BigtableException {
        if (!isNew(bytes)) {
            return new byte[bytes];
        }
        ReadWork work = ReadWork.ofThread();
        work.hold(bytes);
        byte[] array = new byte[bytes];
        work.passes(array);
        return array;
    }

    /** The present read has come past what lies in the array. */
    static void passed(byte[] array) {
        if (isNew(array.length)) {
            ReadWork.ofThread().passed(array);
        }
    }

    private byte[] atLeast(int bytes) {
        if (array.length < bytes) {
            array = new byte[Math.min(MAX_BYTES, Math.max(bytes, 2 * array.length))];
        }
        return array;
    }
}
