package bt.sstable;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Slice;
import java.util.Optional;

/**
 * Writes one sorted run of entries (the cells of a file, or its deletions): data blocks as they fill, then the leaves of
 * the index, then its root.
 */
final class RunWriter {
    private static final int DATA_RESTART_INTERVAL = 16;

    private final int blockBytes;
    private final BlockBuilder data;
    private final DataBlocks blocks;
    private final IndexWriter index;
    private Optional<Bytes> firstKey = Optional.empty();

    RunWriter(BlockWriter out, FileEncoder encoder, int blockBytes) {
        this.blockBytes = blockBytes;
        this.data = new BlockBuilder(DATA_RESTART_INTERVAL, blockBytes);
        this.index = new IndexWriter(out, blockBytes);
        this.blocks = new DataBlocks(out, encoder, index);
    }

    void add(Slice key, Slice value) throws BigtableException {
        if (firstKey.isEmpty()) {
            firstKey = Optional.of(key.toBytes());
        }
        // A large entry lies alone, so that the small ones before it are read without it.
        if (!data.isEmpty() && key.length() + value.length() >= blockBytes) {
            flushBlock();
        }
        if (blocks.needsSeparator()) {
            blocks.separate(separator(data.lastKey(), key.toBytes()));
        }
        data.add(key, value);
        if (data.bytes() >= blockBytes) {
            flushBlock();
        }
    }

    Optional<Bytes> firstKey() {
        return firstKey;
    }

    Optional<Bytes> lastKey() {
        return firstKey.map(first -> data.lastKey());
    }

    /** Writes the block that is not full yet, and those that waited for more. */
    void flush() throws BigtableException {
        flushBlock();
        blocks.release();
    }

    /** Bytes that {@link #flush} and the index have yet to write, about. */
    long pendingBytes() {
        return data.bytes() + blocks.waitingBytes() + index.bytes();
    }

    /** The handle of the index's root. */
    BlockHandle finish() throws BigtableException {
        flush();
        if (blocks.needsSeparator()) {
            blocks.separate(lastSeparator(data.lastKey()));
        }
        return index.finish();
    }

    private void flushBlock() throws BigtableException {
        if (!data.isEmpty()) {
            blocks.add(data.finish());
            data.clear();
        }
    }

    /**
     * A key that is not below {@code last}, the last of the run: itself, or a short one where it is long, for the root has that as
     * long as the file is open. It shares as much with it as it may: who seeks behind the run is mostly told so by the root. Above
     * 0xff alone nothing short is: of that the reader keeps a part ({@link KeptRoot}).
     */
    static Bytes lastSeparator(Bytes last) {
        if (last.length() <= KeySpan.KEPT_BYTES) {
            return last;
        }
        int at = KeySpan.KEPT_BYTES - 1;
        while (at >= 0 && isHighest(last, at)) {
            at--;
        }
        return at < 0 ? last : incremented(last, at);
    }

    private static boolean isHighest(Bytes key, int at) {
        return key.at(at) == (byte) 0xff;
    }

    private static Bytes incremented(Bytes key, int at) {
        byte[] beginning = key.slice(0, at + 1).toArray();
        beginning[at]++;
        return Bytes.wrap(beginning);
    }

    /** A short key that is not below {@code last}, and below {@code next}. */
    static Bytes separator(Bytes last, Bytes next) {
        int shared = 0;
        while (shared < last.length() && last.at(shared) == next.at(shared)) {
            shared++;
        }
        return shared + 1 < Math.min(next.length(), last.length()) ? next.slice(0, shared + 1) : last;
    }
}
