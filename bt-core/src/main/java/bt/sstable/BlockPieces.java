package bt.sstable;

import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Crc32c;
import bt.base.Output;
import bt.base.Slice;
import java.util.Arrays;
import java.util.Optional;

/**
 * Where a block that lies in its file as it is can be entered, learnt when all of it was read: its pieces, of some 8 KiB
 * each, with a key that tells each from the one before and a checksum. A look-up reads one of them afterwards. Every piece
 * begins with an entry that shares nothing with the one before it. Immutable, but for a hint. Any thread.
 */
final class BlockPieces implements Cached {
    /** A piece ends with the first restart point behind so many bytes. */
    static final int PIECE_BYTES = 8 << 10;

    /** A row of more pieces than that is better read with the whole block. */
    private static final int MAX_WANTED = 3;

    /** What the JVM needs beside the keys, for all and for each piece, about. */
    private static final int OVERHEAD_BYTES = 200;

    private static final int BYTES_OF_A_PIECE = 3 * Integer.BYTES;

    /** One behind the other: for each piece but the first a key that is not below all before it, and below its own. */
    private final byte[] separators;

    private final int[] separatorEnds;

    /** Where each begins in the block, and where the last one ends. */
    private final int[] starts;

    private final int[] crcs;

    /** The piece that was shown last. */
    private volatile int last = -1;

    private BlockPieces(byte[] separators, int[] separatorEnds, int[] starts, int[] crcs) {
        this.separators = separators;
        this.separatorEnds = separatorEnds;
        this.starts = starts;
        this.crcs = crcs;
    }

    /** Empty where it would be read as a whole anyway. */
    static Optional<BlockPieces> of(Block block) throws CorruptionException {
        int[] starts = starts(block);
        int count = starts.length - 1;
        if (count <= MAX_WANTED) {
            return Optional.empty();
        }
        int[] crcs = new int[count];
        int[] separatorEnds = new int[count];
        Output separators = new Output(16 * count);
        BlockCursor cursor = new BlockCursor(block);
        for (int i = 0; i < count; i++) {
            crcs[i] = Crc32c.of(block.array, block.from + starts[i], starts[i + 1] - starts[i]);
            if (i > 0) {
                separators.raw(separator(cursor, block.from + starts[i]));
            }
            separatorEnds[i] = separators.size();
        }
        return Optional.of(new BlockPieces(separators.toArray(), separatorEnds, starts, crcs));
    }

    /** Not below the last key before the entry that begins there, and below its own. */
    private static Bytes separator(BlockCursor cursor, int restart) throws CorruptionException {
        Slice shown = new Slice();
        cursor.goToRestart(restart);
        cursor.showKey(shown);
        Bytes first = shown.toBytes();
        cursor.previous();
        cursor.showKey(shown);
        return RunWriter.separator(shown.toBytes(), first);
    }

    private static int[] starts(Block block) {
        int[] starts = new int[block.restartCount + 1];
        int count = 0;
        for (int i = 0; i < block.restartCount; i++) {
            int start = block.restart(i) - block.from;
            if (i == 0 || start - starts[count - 1] >= PIECE_BYTES) {
                starts[count++] = start;
            }
        }
        starts[count++] = block.restarts - block.from;
        return Arrays.copyOf(starts, count);
    }

    int count() {
        return starts.length - 1;
    }

    /** The piece that the key is in, if it is in the block. */
    int find(Bytes key) {
        int low = 0;
        int high = count() - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (key.compareTo(separators, separatorEnds[middle - 1], separatorEnds[middle]) > 0) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    /** Whether from this piece on the keys that begin with the prefix are in few pieces, or in those of the block's end. */
    boolean isNarrow(int piece, Bytes prefix) {
        int beyond = piece + MAX_WANTED;
        return beyond >= count() || isPast(beyond, prefix);
    }

    /** Whether no key of the piece, nor any behind it, begins with the prefix. */
    boolean isPast(int piece, Bytes prefix) {
        int from = separatorEnds[piece - 1];
        int to = separatorEnds[piece];
        boolean isAbove = prefix.compareTo(separators, from, to) < 0;
        return isAbove && !Bytes.wrap(separators, from, to - from).startsWith(prefix);
    }

    /** It was shown to a look-up. */
    void shown(int piece) {
        last = piece;
    }

    /** Whether the one before it was shown last. */
    boolean isNext(int piece) {
        return piece > 0 && last == piece - 1;
    }

    int start(int piece) {
        return starts[piece];
    }

    int length(int piece) {
        return starts[piece + 1] - starts[piece];
    }

    /** CRC32C of its bytes when its block was read. */
    int crc(int piece) {
        return crcs[piece];
    }

    @Override
    public int bytes() {
        return OVERHEAD_BYTES + separators.length + BYTES_OF_A_PIECE * count();
    }
}
