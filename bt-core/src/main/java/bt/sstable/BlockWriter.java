package bt.sstable;

import bt.base.BigtableException;
import bt.base.Output;
import bt.fs.FileWriter;

/** Appends blocks with their trailers to a file. */
final class BlockWriter {
    private final FileWriter file;
    private Output frame = new Output();

    BlockWriter(FileWriter file) {
        this.file = file;
    }

    long position() {
        return file.position();
    }

    BlockHandle write(Output payload, Codec codec) throws BigtableException {
        BlockFrame.encode(payload, codec, frame);
        BlockHandle handle = new BlockHandle(file.position(), frame.size());
        file.append(frame.array(), 0, frame.size());
        if (frame.array().length > 2 * SSTableOptions.MAX_BLOCK_BYTES) {
            frame = new Output();
        }
        return handle;
    }
}
