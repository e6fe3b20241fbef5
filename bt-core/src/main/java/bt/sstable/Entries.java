package bt.sstable;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Output;
import bt.base.Slice;
import java.util.Arrays;

/** The entries of a file whose keys begin with one prefix, copied out of their blocks. Immutable. */
final class Entries {
    /** More are not kept: to copy them costs more than to find them again. */
    static final int MAX_BYTES = 16 << 10;
    /** Of no file. */
    static final Entries NONE = new Entries(Bytes.EMPTY, new byte[0], new int[0], true);

    /** What the JVM needs beside the bytes, about. */
    private static final int OVERHEAD_BYTES = 200;

    final Bytes prefix;
    private final byte[] bytes;
    /** Of each entry the end of its key and the end of its value. */
    private final int[] ends;

    private final boolean complete;

    private Entries(Bytes prefix, byte[] bytes, int[] ends, boolean complete) {
        this.prefix = prefix;
        this.bytes = bytes;
        this.ends = ends;
        this.complete = complete;
    }

    static Entries read(Cursor cursor, Bytes prefix) throws BigtableException {
        byte[] prefixBytes = prefix.toArray();
        Output bytes = new Output(256);
        int[] ends = new int[8];
        int count = 0;
        boolean more = cursor.seek(prefix);
        while (more && cursor.key().startsWith(prefixBytes, prefixBytes.length)) {
            Slice key = cursor.key();
            Slice value = cursor.value();
            if (bytes.size() + key.length() + value.length() > MAX_BYTES) {
                return new Entries(prefix, new byte[0], new int[0], false);
            }
            bytes.raw(key.array(), key.from(), key.length());
            if (2 * count == ends.length) {
                ends = Arrays.copyOf(ends, 4 * count);
            }
            ends[2 * count] = bytes.size();
            bytes.raw(value.array(), value.from(), value.length());
            ends[2 * count++ + 1] = bytes.size();
            more = cursor.next();
        }
        return new Entries(prefix, bytes.toArray(), Arrays.copyOf(ends, 2 * count), true);
    }

    /** False: they are too many, and none is here. */
    boolean areComplete() {
        return complete;
    }

    int weight() {
        return bytes.length + ends.length * Integer.BYTES + prefix.length() + OVERHEAD_BYTES;
    }

    int count() {
        return ends.length / 2;
    }

    /** Shows the entry of this number. */
    void show(int index, Slice key, Slice value) {
        int keyFrom = index == 0 ? 0 : ends[2 * index - 1];
        int keyEnd = ends[2 * index];
        key.moveTo(bytes, keyFrom, keyEnd - keyFrom);
        value.moveTo(bytes, keyEnd, ends[2 * index + 1] - keyEnd);
    }
}
