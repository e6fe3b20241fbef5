package bt.sstable;

import bt.base.Bytes;
import java.nio.ByteBuffer;

/**
 * Between which keys the entries of a file lie, as far as that is kept while it is open: of a long key the beginning, for a
 * key may have 257 KiB, and a server very many files. What it cannot tell may be so. Immutable.
 */
public final class KeySpan {
    /** Of a key; more than that of most is the whole. */
    static final int KEPT_BYTES = 256;

    private final Bytes smallest;
    private final Bytes largest;
    private final boolean isLargestWhole;

    private KeySpan(Bytes smallest, Bytes largest, boolean isLargestWhole) {
        this.smallest = smallest;
        this.largest = largest;
        this.isLargestWhole = isLargestWhole;
    }

    static KeySpan of(ByteBuffer smallest, ByteBuffer largest) {
        return new KeySpan(beginning(smallest), beginning(largest), largest.remaining() <= KEPT_BYTES);
    }

    private static Bytes beginning(ByteBuffer key) {
        byte[] kept = new byte[Math.min(key.remaining(), KEPT_BYTES)];
        key.duplicate().get(kept);
        return Bytes.wrap(kept);
    }

    /** False when it is certain that no key is below this one. */
    public boolean mayBeginBelow(Bytes key) {
        return smallest.compareTo(key) < 0;
    }

    /** False when it is certain that all keys are below this one. */
    public boolean mayReach(Bytes key) {
        return largest.compareTo(key) >= 0 || (!isLargestWhole && key.startsWith(largest));
    }

    /** Not above the largest key: that itself, or its beginning. */
    public Bytes largest() {
        return largest;
    }

    /** What is kept. */
    int bytes() {
        return smallest.length() + largest.length();
    }
}
