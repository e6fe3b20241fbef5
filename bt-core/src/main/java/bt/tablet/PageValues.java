package bt.tablet;

import bt.base.Bytes;
import bt.base.Slice;
import bt.sstable.ReadWork;

/**
 * The values of a page's cells: long ones where they lie in blocks and memtables, until the page is encoded, and others as
 * copies. As long as a page has such a view all of what it lies in stays in memory, whether or not a cache or memtable still has
 * it; so a page of values from many blocks has only some as views. One thread.
 */
final class PageValues {
    /** Shorter ones are copied: what they lie in is many times their size. */
    static final int LEAST_SHARED_BYTES = 512;

    /** For which a read has had to find room, or a memtable has an array of its own. */
    private static final int LEAST_ALONE_BYTES = 256 << 10;

    /** For one page more may stay in memory than what it has of it. */
    private static final int TIMES_THE_PAGE = 4;

    private static final byte[] NOTHING = {};
    private static final long LEAST_BYTES = 1 << 20;
    private static final long MOST_BYTES = 32 << 20;

    /** Arrays that the page has views of, those of the last; scans of several files go from one to the other. */
    private final byte[][] shared = new byte[8][];

    private int next;
    private long left;
    private long addedBytes;

    /** For a page that ends at so many bytes. */
    void begin(long pageBytes) {
        end();
        left = Math.min(MOST_BYTES, Math.max(LEAST_BYTES, TIMES_THE_PAGE * pageBytes));
    }

    /** Another cell is looked at. */
    void beginCell() {
        addedBytes = 0;
    }

    /**
     * What the value of the present cell has made the page hold that nothing else counts: its copy, or an array that is no block
     * for which the read had to find room.
     */
    long addedBytes() {
        return addedBytes;
    }

    /** What is to stay when the slice moves on. */
    Bytes of(Slice value) {
        boolean isShared = value.length() >= LEAST_SHARED_BYTES && (staysAlone(value) || mayStay(value.array()));
        if (!isShared) {
            addedBytes += value.length();
        }
        return isShared ? value.toView() : value.toBytes();
    }

    private static boolean staysAlone(Slice value) {
        if (!isMostOf(value)) {
            return false;
        }
        // What is no array that was read for this page is a cache's or a memtable's.
        boolean unused = ReadWork.ofThread().stays(value.array());
        return true;
    }

    /** A copy would need as much while it is made, and what it was copied from may stay in a cache all the same. */
    private static boolean isMostOf(Slice value) {
        return value.length() >= LEAST_ALONE_BYTES && value.length() >= value.array().length / 2;
    }

    private boolean mayStay(byte[] array) {
        for (byte[] known : shared) {
            if (known == array) {
                return true;
            }
        }
        if (array.length > left) {
            return false;
        }
        left -= array.length;
        addedBytes += ReadWork.ofThread().stays(array) ? 0 : array.length;
        shared[next] = array;
        next = (next + 1) % shared.length;
        return true;
    }

    /** Lets go of what it lies in. */
    void end() {
        for (int i = 0; i < shared.length; i++) {
            shared[i] = NOTHING;
        }
        left = 0;
    }
}
