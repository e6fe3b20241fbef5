package bt.sstable;

import bt.base.BigtableException;
import bt.base.CorruptionException;
import bt.base.Input;
import bt.base.UnavailableException;
import bt.fs.FileReader;
import java.util.Optional;

/** The blocks of one file: from its tail, from the cache, or with one read. Any thread. */
final class BlockFile {
    private final FileReader file;
    private final BlockCache cache;
    private final Tail tail;
    private volatile boolean closed;

    BlockFile(FileReader file, BlockCache cache) throws BigtableException {
        this.file = file;
        this.cache = cache;
        this.tail = Tail.read(file);
    }

    String path() {
        return file.path();
    }

    /** Where the section table begins: every other block ends there at the latest. */
    long end() {
        return tail.footer.sections().offset();
    }

    Sections sections() throws BigtableException {
        BlockHandle handle = tail.footer.sections();
        Payload payload = read(handle);
        String source = path() + " block " + handle.offset();
        return Sections.decode(new Input(source, 0, payload.array, payload.from, payload.to), end());
    }

    /** A block of entries, through the cache. */
    Block block(BlockHandle handle) throws BigtableException {
        checkOpen();
        Optional<Block> cached = cache.find(path(), handle.offset());
        if (cached.isPresent()) {
            return cached.get();
        }
        Block block = Block.decode(path(), handle.offset(), read(handle));
        cache.keep(block);
        return block;
    }

    /** The bytes that a block stands for, checked. */
    Payload read(BlockHandle handle) throws BigtableException {
        checkOpen();
        long offset = handle.offset();
        if (handle.size() > BlockFrame.MAX_PAYLOAD_BYTES + BlockFrame.TRAILER_BYTES) {
            throw new CorruptionException(path() + " at " + offset + ": a block of " + handle.size() + " bytes");
        }
        int size = (int) handle.size();
        if (offset >= tail.offset) {
            return BlockFrame.decode(path(), offset, tail.bytes, (int) (offset - tail.offset), size);
        }
        byte[] bytes = new byte[size];
        file.readFully(offset, bytes, 0, size);
        return BlockFrame.decode(path(), offset, bytes, 0, size);
    }

    void close() {
        closed = true;
        file.close();
    }

    private void checkOpen() throws UnavailableException {
        if (closed) {
            throw new UnavailableException(path() + ": closed");
        }
    }
}
