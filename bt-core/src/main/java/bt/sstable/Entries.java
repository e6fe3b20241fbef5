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

    Cursor cursor() {
        return new EntriesCursor(this);
    }

    /** A place among them. */
    private static final class EntriesCursor implements Cursor {
        private final Entries entries;
        private final Slice key = new Slice();
        private final Slice value = new Slice();
        /** -1: before the first. */
        private int at = -1;

        EntriesCursor(Entries entries) {
            this.entries = entries;
        }

        @Override
        public boolean seek(Bytes atOrAfter) {
            for (int i = 0; i < count(); i++) {
                if (moveTo(i) && key.compareWith(atOrAfter) >= 0) {
                    return true;
                }
            }
            return moveTo(count());
        }

        @Override
        public boolean seekBefore(Bytes before) {
            for (int i = count() - 1; i >= 0; i--) {
                if (moveTo(i) && key.compareWith(before) < 0) {
                    return true;
                }
            }
            return moveTo(count());
        }

        @Override
        public boolean seekToLast() {
            return moveTo(count() == 0 ? 0 : count() - 1);
        }

        @Override
        public boolean next() {
            return at < count() && moveTo(at + 1);
        }

        @Override
        public boolean previous() {
            // From behind the last there is no way back, and before the first there is none.
            return moveTo(at > 0 && at < count() ? at - 1 : count());
        }

        private int count() {
            return entries.ends.length / 2;
        }

        /** False: there is no such entry, and no step leads away from here. */
        private boolean moveTo(int index) {
            at = index;
            if (index == count()) {
                return false;
            }
            int keyFrom = index == 0 ? 0 : entries.ends[2 * index - 1];
            int keyEnd = entries.ends[2 * index];
            key.moveTo(entries.bytes, keyFrom, keyEnd - keyFrom);
            value.moveTo(entries.bytes, keyEnd, entries.ends[2 * index + 1] - keyEnd);
            return true;
        }

        @Override
        public Slice key() {
            return key;
        }

        @Override
        public Slice value() {
            return value;
        }
    }
}
