package bt.sstable;

import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Input;
import bt.base.Output;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Where a block with its trailer lies in its file: two u64, little-endian. See docs/formats/sstable.md. */
record BlockHandle(long offset, long size) {
    /** Of no block. */
    static final BlockHandle NONE = new BlockHandle(0, 0);

    static final int ENCODED_BYTES = 2 * Long.BYTES;

    private static final VarHandle U64 = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /** Where the next one begins at the earliest. */
    long end() {
        return offset + size;
    }

    Bytes encode() {
        return encodeTo(new Output(ENCODED_BYTES)).toBytes();
    }

    Output encodeTo(Output out) {
        return out.u64(offset).u64(size);
    }

    /** Whether {@link #at} finds there what {@link #decode} does not refuse. */
    static boolean isWithin(byte[] array, int from, long end) {
        return isWithin((long) U64.get(array, from), (long) U64.get(array, from + Long.BYTES), end);
    }

    static BlockHandle at(byte[] array, int from) {
        return new BlockHandle((long) U64.get(array, from), (long) U64.get(array, from + Long.BYTES));
    }

    /** Refuses what does not lie between the file's header and {@code end}. */
    static BlockHandle decode(Input in, long end) throws CorruptionException {
        long offset = in.u64("block offset");
        long size = in.u64("block size");
        if (!isWithin(offset, size, end)) {
            throw in.corrupt(
                    "a block of " + size + " bytes at " + offset + ", outside of the blocks, which end at " + end);
        }
        return new BlockHandle(offset, size);
    }

    private static boolean isWithin(long offset, long size, long end) {
        return offset >= Footer.HEADER_BYTES
                && offset <= end
                && size >= BlockFrame.TRAILER_BYTES
                && size <= end - offset;
    }
}
