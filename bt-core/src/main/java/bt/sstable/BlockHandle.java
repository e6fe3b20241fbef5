package bt.sstable;

import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Input;
import bt.base.Output;

/** Where a block with its trailer lies in its file: two u64, little-endian. See docs/formats/sstable.md. */
record BlockHandle(long offset, long size) {
    static final int ENCODED_BYTES = 2 * Long.BYTES;

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

    /** Refuses what does not lie between the file's header and {@code end}. */
    static BlockHandle decode(Input in, long end) throws CorruptionException {
        long offset = in.u64("block offset");
        long size = in.u64("block size");
        if (offset < Footer.HEADER_BYTES || offset > end || size < BlockFrame.TRAILER_BYTES || size > end - offset) {
            throw in.corrupt(
                    "a block of " + size + " bytes at " + offset + ", outside of the blocks, which end at " + end);
        }
        return new BlockHandle(offset, size);
    }
}
