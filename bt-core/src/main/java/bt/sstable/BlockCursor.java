package bt.sstable;

import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Input;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A place in one block. Moving makes no objects; every length is held against the block before it is used, and a key that
 * does not come after the one before it is damage.
 */
final class BlockCursor {
    private final Block block;
    /** Where the entry after the present one begins. */
    private int nextAt;

    private byte[] key = new byte[64];
    /** -1 where nothing is known of the key before. */
    private int keyLength = -1;

    private int valueAt;
    private int valueLength;
    private @Nullable Bytes keyBytes;

    BlockCursor(Block block) {
        this.block = block;
        this.nextAt = block.from;
    }

    /** Goes to the first entry whose key is {@code target} or above. */
    boolean seek(Bytes target) throws CorruptionException {
        if (block.isEmpty()) {
            return false;
        }
        int low = 0;
        int high = block.restartCount - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            goTo(block.restart(middle));
            if (compareTo(target) < 0) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        goTo(block.restart(low));
        while (compareTo(target) < 0) {
            if (!next()) {
                return false;
            }
        }
        return true;
    }

    boolean next() throws CorruptionException {
        if (nextAt == block.restarts) {
            return false;
        }
        int at = nextAt;
        int shared = varint("shared length");
        int rest = varint("key length");
        valueLength = varint("value length");
        if (shared > Math.max(keyLength, 0)) {
            throw block.corrupt(at, "shares " + shared + " bytes with a key of " + keyLength);
        }
        int left = block.restarts - nextAt;
        if (rest > left || valueLength > left - rest) {
            throw block.corrupt(
                    at, "key of " + rest + " and value of " + valueLength + " bytes, " + left + " are left");
        }
        if (keyLength >= 0 && Arrays.compareUnsigned(block.array, nextAt, nextAt + rest, key, shared, keyLength) <= 0) {
            throw block.corrupt(at, "a key that does not come after the one before it");
        }
        if (shared + rest > key.length) {
            key = Arrays.copyOf(key, Math.max(shared + rest, key.length * 2));
        }
        System.arraycopy(block.array, nextAt, key, shared, rest);
        keyLength = shared + rest;
        keyBytes = null;
        valueAt = nextAt + rest;
        nextAt = valueAt + valueLength;
        return true;
    }

    Bytes key() {
        Bytes bytes = keyBytes;
        if (bytes == null) {
            bytes = Bytes.copyOf(key, 0, keyLength);
            keyBytes = bytes;
        }
        return bytes;
    }

    Bytes value() {
        return Bytes.wrap(block.array, valueAt, valueLength);
    }

    /** The value where it is the handle of a block that ends before {@code end}. */
    BlockHandle handle(long end) throws CorruptionException {
        int base = valueAt - block.from;
        Input in = new Input(block.path + " block " + block.offset, base, block.array, valueAt, nextAt);
        BlockHandle handle = BlockHandle.decode(in, end);
        in.end("a block handle");
        return handle;
    }

    /** Whether this cursor's key comes after that one's. */
    boolean isAfter(BlockCursor that) {
        return Arrays.compareUnsigned(key, 0, keyLength, that.key, 0, that.keyLength) > 0;
    }

    CorruptionException corrupt(String fact) {
        return block.corrupt(valueAt, fact);
    }

    private int compareTo(Bytes target) {
        return -target.compareTo(key, 0, keyLength);
    }

    private void goTo(int restart) throws CorruptionException {
        keyLength = -1;
        nextAt = restart;
        if (!next()) {
            throw block.corrupt(restart, "no entry at a restart point");
        }
    }

    private int varint(String field) throws CorruptionException {
        int value = 0;
        for (int shift = 0; shift < 35 && nextAt < block.restarts; shift += 7) {
            byte b = block.array[nextAt++];
            value |= (b & 0x7f) << shift;
            if (b >= 0) {
                if (value < 0 || (shift == 28 && b > 7)) {
                    break;
                }
                return value;
            }
        }
        throw block.corrupt(nextAt, field + " is no length");
    }
}
