package bt.sstable;

import bt.base.Bytes;
import bt.base.Output;
import bt.base.Slice;
import java.util.Arrays;

/**
 * Builds the payload of one block after another. An entry is the length of the prefix it shares with the key before it,
 * the length of the rest, the length of the value (varints), the rest, the value. Every so many entries, or bytes, one
 * shares nothing; the offsets of those, the restart points, close the block. See docs/formats/sstable.md.
 */
final class BlockBuilder {
    /**
     * An entry that begins this far behind a restart point is one too. A search walks from a restart point on; past large
     * values, each step of it is a miss of the CPU's cache, while a key in full is little beside them.
     */
    static final int MAX_RESTART_BYTES = 1 << 10;

    private final int restartInterval;
    private final int usualBytes;
    private Output out;
    private int[] restarts = new int[16];
    private int restartCount;
    private int sinceRestart;
    private byte[] key = new byte[64];
    private byte[] previousKey = new byte[64];
    private int previousLength = -1;

    BlockBuilder(int restartInterval, int usualBytes) {
        this.restartInterval = restartInterval;
        this.usualBytes = usualBytes;
        this.out = new Output(Math.min(usualBytes, 1 << 16) + 64);
    }

    boolean isEmpty() {
        return restartCount == 0;
    }

    int restarts() {
        return restartCount;
    }

    /** The size of the payload if no more entries came. */
    int bytes() {
        return out.size() + (restartCount + 1) * Integer.BYTES;
    }

    /** Keys ascend, from block to block too. */
    void add(Bytes newKey, Bytes value) {
        add(Slice.of(newKey), Slice.of(value));
    }

    /** Keys ascend, from block to block too. */
    void add(Slice newKey, Slice value) {
        int length = newKey.length();
        if (length > key.length) {
            key = new byte[Math.max(length, key.length * 2)];
        }
        System.arraycopy(newKey.array(), newKey.from(), key, 0, length);
        int shared = sharedBytes(length);
        if (isEmpty() || sinceRestart == restartInterval || isFarFromRestart()) {
            if (restartCount == restarts.length) {
                restarts = Arrays.copyOf(restarts, restartCount * 2);
            }
            restarts[restartCount++] = out.size();
            sinceRestart = 0;
            shared = 0;
        }
        sinceRestart++;
        out.varint(shared).varint(length - shared).varint(value.length());
        out.raw(key, shared, length - shared).raw(value.array(), value.from(), value.length());
        byte[] spare = previousKey;
        previousKey = key;
        previousLength = length;
        key = spare;
    }

    /** The last key added, in this block or one before. */
    Bytes lastKey() {
        return Bytes.copyOf(previousKey, 0, Math.max(previousLength, 0));
    }

    /** The payload of the block, valid until {@link #clear}. */
    Output finish() {
        for (int i = 0; i < restartCount; i++) {
            out.u32(restarts[i]);
        }
        return out.u32(restartCount);
    }

    /** Begins the next block. */
    void clear() {
        // One huge value must not hold its memory for the rest of a compaction.
        if (out.array().length > 4 * usualBytes + (1 << 20)) {
            out = new Output(usualBytes);
        }
        out.clear();
        restartCount = 0;
        sinceRestart = 0;
    }

    private boolean isFarFromRestart() {
        return out.size() - restarts[restartCount - 1] >= MAX_RESTART_BYTES;
    }

    private int sharedBytes(int length) {
        if (previousLength < 0) {
            return 0;
        }
        int shared = Arrays.mismatch(key, 0, length, previousKey, 0, previousLength);
        boolean ascends = shared >= 0
                && shared < length
                && (shared == previousLength || (key[shared] & 0xff) > (previousKey[shared] & 0xff));
        if (!ascends) {
            throw new IllegalArgumentException(
                    "key " + Bytes.copyOf(key, 0, length) + " does not come after " + lastKey());
        }
        return shared;
    }
}
