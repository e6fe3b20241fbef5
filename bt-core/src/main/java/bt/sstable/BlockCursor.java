package bt.sstable;

import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Input;
import bt.base.Slice;
import java.util.Arrays;

/**
 * A place in one block, and then in another. Moving makes no objects; every length is held against the block before it is
 * used, and a key that does not come after the one before it is damage.
 */
final class BlockCursor {
    private static final byte[] NONE = {};

    /** A row's place is not further from its first entries; from there on a search is the faster way. */
    private static final int MAX_STEPS = 16;

    /** Of longer keys the array is let go with the block. */
    private static final int MAX_KEPT_BYTES = 4 << 10;

    private Block block;
    /** Where the present entry begins. */
    private int entryAt;

    /** Where the entry after the present one begins. */
    private int nextAt;

    /** Where the key lies: in the block where it shares nothing with the one before, else put together in an array of its own. */
    private byte[] key;

    private int keyFrom;
    /** -1 where nothing is known of the key before. */
    private int keyLength = -1;

    private byte[] own = NONE;
    private int shared;
    private int rest;
    private int valueAt;
    private int valueLength;

    BlockCursor(Block block) {
        this.block = block;
        this.entryAt = block.from;
        this.nextAt = block.from;
        this.key = block.array;
    }

    /** Goes before the first entry of another block. */
    void enter(Block other) {
        if (other.array != block.array) {
            ReadBuffer.passed(block.array);
        }
        block = other;
        entryAt = other.from;
        nextAt = other.from;
        keyLength = -1;
    }

    /** Lets go of the block, to stand nowhere until it enters another. */
    void leaveBlock() {
        enter(Block.NONE);
        key = NONE;
        keyFrom = 0;
        if (own.length > MAX_KEPT_BYTES) {
            own = NONE;
        }
    }

    /** Goes to the first entry of another block, whose keys must come after the present one. */
    boolean enterNext(Block following) throws CorruptionException {
        byte[] last = key;
        int lastFrom = keyFrom;
        int lastLength = keyLength;
        enter(following);
        if (nextAt == block.restarts) {
            return false;
        }
        readLengths();
        if (lastLength >= 0
                && Arrays.compareUnsigned(block.array, nextAt, nextAt + rest, last, lastFrom, lastFrom + lastLength)
                        <= 0) {
            throw block.corrupt(nextAt, "a key that does not come after the block before it");
        }
        takeEntry();
        return true;
    }

    /** Goes to the first entry whose key is {@code target} or above; of an open-ended block, where there is none, to the last. */
    boolean seek(Bytes target) throws CorruptionException {
        if (block.isEmpty()) {
            return false;
        }
        int low = 0;
        int high = block.restartCount - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            goTo(block.restart(middle));
            // Nothing is shared at a restart point: the key is compared where it lies.
            if (target.compareTo(block.array, nextAt, nextAt + rest) > 0) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        goTo(block.restart(low));
        takeEntry();
        while (target.compareTo(key, keyFrom, keyFrom + keyLength) > 0) {
            if (!next()) {
                return block.isOpenEnded;
            }
        }
        return true;
    }

    /** Goes to the entry for the key in the leaf that this entry of a root, found for the key, leads to. False: all keys of the run are below. */
    boolean seekIn(BlockCursor leaf, Bytes target) throws CorruptionException {
        boolean found = leaf.seek(target);
        if (!found && !isAtOpenEnd()) {
            throw corrupt("the leaf ends before the key that the root has for it");
        }
        return found;
    }

    /** Whether this is the entry of all keys above the one before it. */
    private boolean isAtOpenEnd() {
        return block.isOpenEnded && nextAt == block.restarts;
    }

    /** Goes to the last entry whose key is below {@code target}. */
    boolean seekBefore(Bytes target) throws CorruptionException {
        return seek(target) ? previous() : last();
    }

    boolean last() throws CorruptionException {
        return endAt(block.restarts);
    }

    boolean previous() throws CorruptionException {
        return endAt(entryAt);
    }

    /** Goes to the entry behind which the next one begins here: no entry says where the one before it begins. */
    private boolean endAt(int end) throws CorruptionException {
        int low = -1;
        int high = block.restartCount - 1;
        while (low < high) {
            int middle = (low + high + 1) >>> 1;
            if (block.restart(middle) < end) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        if (low < 0) {
            return false;
        }
        goTo(block.restart(low));
        takeEntry();
        while (nextAt < end) {
            next();
        }
        if (nextAt > end) {
            throw block.corrupt(end, "an entry begins inside of another");
        }
        return true;
    }

    boolean next() throws CorruptionException {
        if (nextAt == block.restarts) {
            return false;
        }
        int at = nextAt;
        readLengths();
        if (keyLength >= 0
                && Arrays.compareUnsigned(
                                block.array, nextAt, nextAt + rest, key, keyFrom + shared, keyFrom + keyLength)
                        <= 0) {
            throw block.corrupt(at, "a key that does not come after the one before it");
        }
        takeEntry();
        return true;
    }

    /** Goes to the entry that begins at a restart point. */
    void goToRestart(int restart) throws CorruptionException {
        goTo(restart);
        takeEntry();
    }

    /**
     * From a little before it, or from another place by mistake, to the first entry whose key is {@code target} or above.
     * False: that is for a search to say. {@code isFirst} says that no entry before this one is of the same row; the prefix
     * is the row's, or more of the target.
     */
    boolean stepTo(Bytes target, Bytes prefix, boolean isFirst) throws CorruptionException {
        if (target.compareTo(key, keyFrom, keyFrom + keyLength) <= 0) {
            return isFirst && startsWith(prefix);
        }
        for (int i = 0; i < MAX_STEPS; i++) {
            if (!next()) {
                return false;
            }
            if (target.compareTo(key, keyFrom, keyFrom + keyLength) <= 0) {
                return true;
            }
        }
        return false;
    }

    private boolean startsWith(Bytes prefix) {
        int length = prefix.length();
        return length <= keyLength && prefix.compareTo(key, keyFrom, keyFrom + length) == 0;
    }

    /** Index into the block's array. */
    int entryAt() {
        return entryAt;
    }

    void showKey(Slice shown) {
        shown.moveTo(key, keyFrom, keyLength);
    }

    void showValue(Slice shown) {
        shown.moveTo(block.array, valueAt, valueLength);
    }

    /** How its key compares with that one's; in a block without entries it has the lowest there is. */
    int compareKeys(BlockCursor that) {
        return Arrays.compareUnsigned(
                key, keyFrom, keyFrom + Math.max(keyLength, 0), that.key, that.keyFrom, that.keyFrom + that.keyLength);
    }

    /** The value where it is the handle of a block that ends before {@code end}. */
    BlockHandle handle(long end) throws CorruptionException {
        if (valueLength == BlockHandle.ENCODED_BYTES && BlockHandle.isWithin(block.array, valueAt, end)) {
            return BlockHandle.at(block.array, valueAt);
        }
        // What is wrong with it is for the careful way to say.
        int base = valueAt - block.from;
        Input in = new Input(block.path + " block " + block.offset, base, block.array, valueAt, nextAt);
        BlockHandle handle = BlockHandle.decode(in, end);
        in.end("a block handle");
        return handle;
    }

    CorruptionException corrupt(String fact) {
        return block.corrupt(valueAt, fact);
    }

    /** Reads the lengths at a restart point. */
    private void goTo(int restart) throws CorruptionException {
        keyLength = -1;
        nextAt = restart;
        readLengths();
    }

    /** Reads the lengths of the entry that begins here, as far as its key. */
    private void readLengths() throws CorruptionException {
        int at = nextAt;
        entryAt = at;
        shared = varint("shared length");
        rest = varint("key length");
        valueLength = varint("value length");
        if (shared > Math.max(keyLength, 0)) {
            throw block.corrupt(at, "shares " + shared + " bytes with a key of " + keyLength);
        }
        int left = block.restarts - nextAt;
        if (rest > left || valueLength > left - rest) {
            throw block.corrupt(
                    at, "key of " + rest + " and value of " + valueLength + " bytes, " + left + " are left");
        }
    }

    /** Makes the entry whose lengths were read the present one. */
    private void takeEntry() {
        if (shared == 0) {
            key = block.array;
            keyFrom = nextAt;
        } else {
            putTogether();
        }
        keyLength = shared + rest;
        valueAt = nextAt + rest;
        nextAt = valueAt + valueLength;
    }

    private void putTogether() {
        if (shared + rest > own.length) {
            own = Arrays.copyOf(own, Math.max(Math.max(shared + rest, 64), own.length * 2));
        }
        // It may have begun in there already: then what is shared stays.
        if (key != own) {
            System.arraycopy(key, keyFrom, own, 0, shared);
        }
        System.arraycopy(block.array, nextAt, own, shared, rest);
        key = own;
        keyFrom = 0;
    }

    private int varint(String field) throws CorruptionException {
        // Nearly all are one byte.
        if (nextAt < block.restarts && block.array[nextAt] >= 0) {
            return block.array[nextAt++];
        }
        return longVarint(field);
    }

    private int longVarint(String field) throws CorruptionException {
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
