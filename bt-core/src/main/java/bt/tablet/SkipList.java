package bt.tablet;

import bt.base.Bytes;
import bt.base.Slice;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Sorted entries in two arenas. A node's address is that of its lengths; its links lie before them:
 *
 * <pre>  link[height-1] .. link[0], key length, value length, key, value or its address</pre>
 *
 * so that a search finds a node and its key in one or two lines of the CPU's cache, and nothing but links ever changes.
 * All but short values lie in an arena of their own: were they between the nodes, each would be on another page of memory,
 * and a search, which looks at twenty, would wait for the page table at most of them. One thread writes: first a node, then,
 * by a release, the link that leads to it. Any thread reads, without a lock, and finds every entry whose insertion ended
 * before; others perhaps.
 */
final class SkipList {
    /** No node; as the place to go on from, the head. */
    static final int NONE = 0;

    /** Every fourth node of a level is on the next one too: enough for sixteen million. */
    static final int MAX_HEIGHT = 12;

    /** So many levels, some hundred nodes, are tried from the last place: what is further is as near from the top. */
    private static final int MAX_CLIMB = 4;

    private static final int LENGTHS_BYTES = 2 * Integer.BYTES;

    /** A value of so many bytes lies in its node: numbers, flags, the ends of deleted ranges. */
    private static final int SHORT_BYTES = 32;

    private static final int[] NO_PATH = {};
    private static final VarHandle HEAD = MethodHandles.arrayElementVarHandle(int[].class);
    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());

    private final Arena nodes = new Arena();
    private final Arena values = new Arena();
    private final int[] head = new int[MAX_HEIGHT];
    /** The writer's: on each level, the last node before the place at which it inserted, or looked, last. */
    private final int[] path = new int[MAX_HEIGHT];

    private int random = 0x2545f491;

    /** What it holds of the heap: all of its arenas, with what is left in the last array of each. */
    long bytes() {
        return nodes.bytes() + values.bytes();
    }

    /** How much of that is taken by entries. Only the one writer. */
    long used() {
        return nodes.used() + values.used();
    }

    /** The node that has the key: a new one, or the one of before, which stays. Only the one writer. */
    int insert(Bytes key, Bytes value) {
        // Keys often come in order, those of one mutation at least: then the way is known.
        boolean isBehindLast = path[0] != NONE && compare(key, path[0]) > 0;
        int following = next(path[0]);
        if (!isBehindLast || (following != NONE && compare(key, following) >= 0)) {
            following = isBehindLast ? goOn(key) : descend(key, NONE, MAX_HEIGHT, path);
            if (following != NONE && compare(key, following) == 0) {
                return following;
            }
        }
        int height = randomHeight();
        int node = write(height, key, value);
        // The lowest level first: whoever is led here on a higher one must find the way on below.
        for (int level = 0; level < height; level++) {
            setNext(node, level, next(path[level], level));
            setNext(path[level], level, node);
            path[level] = node;
        }
        return node;
    }

    /** The first node, or the one after this one. */
    int next(int node) {
        return next(node, 0);
    }

    int findAtOrAfter(Bytes key) {
        return descend(key, NONE, MAX_HEIGHT, NO_PATH);
    }

    /** The last node whose key is below this one. */
    int findBefore(Slice key) {
        int node = NONE;
        for (int level = MAX_HEIGHT - 1; level >= 0; level--) {
            for (int following = next(node, level);
                    following != NONE && isBelow(following, key);
                    following = next(node, level)) {
                node = following;
            }
        }
        return node;
    }

    int last() {
        int node = NONE;
        for (int level = MAX_HEIGHT - 1; level >= 0; level--) {
            for (int following = next(node, level); following != NONE; following = next(node, level)) {
                node = following;
            }
        }
        return node;
    }

    void showKey(int node, Slice key) {
        byte[] slab = nodes.slab(node);
        int at = Arena.at(node);
        key.moveTo(slab, at + LENGTHS_BYTES, keyLength(slab, at));
    }

    void showValue(int node, Slice value) {
        byte[] slab = nodes.slab(node);
        int at = Arena.at(node);
        int length = (int) WORD.get(slab, at + Integer.BYTES);
        int behindKey = at + LENGTHS_BYTES + keyLength(slab, at);
        if (length <= SHORT_BYTES) {
            value.moveTo(slab, behindKey, length);
        } else {
            int address = (int) WORD.get(slab, behindKey);
            value.moveTo(values.slab(address), Arena.at(address), length);
        }
    }

    /**
     * As {@link #descend}, for a key behind the path: up only to where that goes past the key. A request's rows are in order,
     * with others' between them.
     */
    private int goOn(Bytes key) {
        for (int level = 1; level <= MAX_CLIMB; level++) {
            int beyond = next(path[level], level);
            if (beyond == NONE || compare(key, beyond) <= 0) {
                return descend(key, path[level - 1], level, path);
            }
        }
        return descend(key, NONE, MAX_HEIGHT, path);
    }

    /**
     * The first node whose key is not below this one, and on the path what lies before it: from a node that does, on so many
     * levels.
     */
    private int descend(Bytes key, int from, int levels, int[] lastBefore) {
        int node = from;
        int following = NONE;
        for (int level = levels - 1; level >= 0; level--) {
            // What ended the way on the level above ends it here too: no need to compare it again.
            int end = following;
            following = next(node, level);
            while (following != end && compare(key, following) > 0) {
                node = following;
                following = next(node, level);
            }
            if (lastBefore.length > 0) {
                lastBefore[level] = node;
            }
        }
        return following;
    }

    private int write(int height, Bytes key, Bytes value) {
        boolean isShort = value.length() <= SHORT_BYTES;
        int linkBytes = height * Integer.BYTES;
        int valueBytes = isShort ? value.length() : Integer.BYTES;
        int node = nodes.allocate(linkBytes + LENGTHS_BYTES + key.length() + valueBytes) + linkBytes / Arena.WORD_BYTES;
        byte[] slab = nodes.slab(node);
        int at = Arena.at(node);
        WORD.set(slab, at, key.length());
        WORD.set(slab, at + Integer.BYTES, value.length());
        int behindLengths = at + LENGTHS_BYTES;
        key.copyTo(slab, behindLengths);
        if (isShort) {
            value.copyTo(slab, behindLengths + key.length());
        } else {
            WORD.set(slab, behindLengths + key.length(), copy(value));
        }
        return node;
    }

    /** The address of its copy. */
    private int copy(Bytes value) {
        int address = values.allocate(value.length());
        value.copyTo(values.slab(address), Arena.at(address));
        return address;
    }

    private int compare(Bytes key, int node) {
        byte[] slab = nodes.slab(node);
        int at = Arena.at(node);
        int from = at + LENGTHS_BYTES;
        return key.compareTo(slab, from, from + keyLength(slab, at));
    }

    private boolean isBelow(int node, Slice key) {
        byte[] slab = nodes.slab(node);
        int at = Arena.at(node);
        int from = at + LENGTHS_BYTES;
        return Arrays.compareUnsigned(slab, from, from + keyLength(slab, at), key.array(), key.from(), key.to()) < 0;
    }

    private static int keyLength(byte[] slab, int at) {
        return (int) WORD.get(slab, at);
    }

    int next(int node, int level) {
        return node == NONE
                ? (int) HEAD.getAcquire(head, level)
                : (int) WORD.getAcquire(nodes.slab(node), Arena.at(node) - (level + 1) * Integer.BYTES);
    }

    private void setNext(int node, int level, int following) {
        if (node == NONE) {
            HEAD.setRelease(head, level, following);
        } else {
            WORD.setRelease(nodes.slab(node), Arena.at(node) - (level + 1) * Integer.BYTES, following);
        }
    }

    /** One node in four is higher than one level, one of those in four than two. Any sequence will do, so it is a fixed one. */
    private int randomHeight() {
        random ^= random << 13;
        random ^= random >>> 17;
        random ^= random << 5;
        return Math.min(MAX_HEIGHT, 1 + Integer.numberOfTrailingZeros(random) / 2);
    }
}
