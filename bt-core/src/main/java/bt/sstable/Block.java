package bt.sstable;

import bt.base.CorruptionException;
import bt.base.Input;

/** A block of entries in memory, checked as far as its restart points. Immutable, shared by every reader of its file. */
final class Block implements Cached {
    /** What the JVM needs beside the payload, about. */
    private static final int OVERHEAD_BYTES = 160;

    private static final int CACHE_LINE_BYTES = 64;

    /** More than that of one block would drive out what came first. */
    private static final int MAX_TOUCHED_BYTES = 128 << 10;

    /** Of no file: where a cursor stands that has left its last one. */
    static final Block NONE = new Block("", 0, new Payload(new byte[0], 0, 0), 0, 0, false);

    final String path;
    final long offset;
    final byte[] array;
    /** Entries lie in {@code array[from, restarts)}. */
    final int from;
    /** The restart points lie in {@code array[restarts, restarts + 4 * restartCount)}. */
    final int restarts;

    final int restartCount;

    /** Whether the last entry is that of all keys above the one before it, its own is only the beginning of one: see {@link KeptRoot}. */
    final boolean isOpenEnded;

    private Block(String path, long offset, Payload payload, int restarts, int restartCount, boolean isOpenEnded) {
        this.path = path;
        this.offset = offset;
        this.array = payload.array;
        this.from = payload.from;
        this.restarts = restarts;
        this.restartCount = restartCount;
        this.isOpenEnded = isOpenEnded;
    }

    static Block decode(String path, long offset, Payload payload) throws CorruptionException {
        String source = path + " block " + offset;
        if (payload.length() < Integer.BYTES) {
            throw new CorruptionException(source + ": " + payload.length() + " bytes hold no restart points");
        }
        int countAt = payload.to - Integer.BYTES;
        int count = new Input(source, countAt - payload.from, payload.array, countAt, payload.to).u32("restart count");
        if (count < 0 || count > (payload.length() - Integer.BYTES) / Integer.BYTES) {
            throw new CorruptionException(source + ": " + Integer.toUnsignedString(count) + " restart points in "
                    + payload.length() + " bytes");
        }
        Block block = new Block(path, offset, payload, countAt - count * Integer.BYTES, count, false);
        block.checkRestarts();
        return block;
    }

    /** The same entries, of which the last is that of all keys above the one before it. */
    Block openEnded() {
        return new Block(path, offset, new Payload(array, from, restarts), restarts, restartCount, true);
    }

    /** What a piece of so many bytes takes with its only restart point. */
    static int bytesOfPiece(int entries) {
        return entries + Integer.BYTES;
    }

    /** Entries behind one another, from one on that shares nothing with the one before it; zeros behind them. */
    static Block ofPiece(String path, long offset, byte[] array) {
        return new Block(path, offset, new Payload(array, 0, array.length), array.length - Integer.BYTES, 1, false);
    }

    /** Of the entries and the restart points. */
    int payloadBytes() {
        return restarts - from + (restartCount + 1) * Integer.BYTES;
    }

    boolean isEmpty() {
        return restartCount == 0;
    }

    /** Index into the array of the entry at a restart point. */
    int restart(int index) {
        int at = restarts + index * Integer.BYTES;
        int value = (array[at] & 0xff)
                | (array[at + 1] & 0xff) << 8
                | (array[at + 2] & 0xff) << 16
                | (array[at + 3] & 0xff) << 24;
        return from + value;
    }

    @Override
    public int bytes() {
        return restarts - from + restartCount * Integer.BYTES + OVERHEAD_BYTES;
    }

    /**
     * Has its bytes come from memory one line of the CPU's cache behind the other, for whoever is about to go through its
     * entries: where these are longer than a line or two, the CPU does not guess where the next begins, and each would be
     * waited for by itself. The sum of some is worth nothing.
     */
    int touch() {
        int end = Math.min(restarts, from + MAX_TOUCHED_BYTES);
        int sum = 0;
        for (int i = from; i < end; i += CACHE_LINE_BYTES) {
            sum += array[i];
        }
        return sum;
    }

    CorruptionException corrupt(int at, String fact) {
        return new CorruptionException(path + " block " + offset + " at " + (at - from) + ": " + fact);
    }

    private void checkRestarts() throws CorruptionException {
        if (isEmpty() && restarts > from) {
            throw corrupt(from, "entries without a restart point");
        }
        int previous = from - 1;
        for (int i = 0; i < restartCount; i++) {
            int next = restart(i);
            if (next <= previous || next >= restarts || (i == 0 && next != from)) {
                throw corrupt(restarts + i * Integer.BYTES, "restart point " + i + " is " + (next - from));
            }
            previous = next;
        }
    }
}
