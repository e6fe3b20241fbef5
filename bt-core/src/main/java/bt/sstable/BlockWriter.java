package bt.sstable;

import bt.base.BigtableException;
import bt.base.Output;
import bt.fs.FileWriter;

/** Appends blocks with their trailers to a file. */
final class BlockWriter {
    private final FileWriter file;
    private Output frame = new Output();
    private byte[] scratch = {};

    BlockWriter(FileWriter file) {
        this.file = file;
    }

    long position() {
        return file.position();
    }

    BlockHandle write(Output payload, BlockEncoder encoder) throws BigtableException {
        BlockFrame.encode(payload, encoder, scratch(encoder.maxCompressedBytes(payload.size())), frame);
        BlockHandle handle = new BlockHandle(file.position(), frame.size());
        file.append(frame.array(), 0, frame.size());
        if (frame.array().length > 2 * SSTableOptions.MAX_BLOCK_BYTES) {
            frame = new Output();
            scratch = new byte[0];
        }
        return handle;
    }

    private byte[] scratch(int bytes) {
        if (scratch.length < bytes) {
            scratch = new byte[bytes];
        }
        return scratch;
    }
}
