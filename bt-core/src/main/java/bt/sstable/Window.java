package bt.sstable;

import java.util.Arrays;

/**
 * The text that a {@link FirstPass} saw last and left as it was, 1 MiB at least of what there was. Positions go on; an index is
 * a place in the array.
 */
final class Window {
    private static final int BYTES = 1 << 20;
    private static final int FIRST_BYTES = 64 << 10;
    private static final int LAST_BASE = Fingerprints.MAX_POSITION - 3 * BYTES;

    private final Fingerprints fingerprints;
    private byte[] text = new byte[FIRST_BYTES];
    private int size;
    /** The position of the array's first byte. */
    private int base;

    Window(Fingerprints fingerprints) {
        this.fingerprints = fingerprints;
    }

    byte[] array() {
        return text;
    }

    int size() {
        return size;
    }

    int position(int index) {
        return base + index;
    }

    /** Negative for what has left the window. */
    int index(int position) {
        return position - base;
    }

    /** Whether positions come to their end; {@link #clear} begins again. */
    boolean isAtItsEnd() {
        return base >= LAST_BASE;
    }

    void clear() {
        base = 0;
        size = 0;
    }

    /** Adds the end of the text, where it is longer than the window. */
    void add(byte[] bytes, int length) {
        int added = Math.min(length, BYTES);
        makeRoom(added);
        System.arraycopy(bytes, length - added, text, size, added);
        int chunk = Fingerprints.CHUNK_BYTES;
        int first = (base + size + chunk - 1) / chunk * chunk;
        size += added;
        for (int position = first; position + chunk <= base + size; position += chunk) {
            fingerprints.put(Fingerprints.of(text, position - base), position);
        }
    }

    private void makeRoom(int more) {
        if (more > text.length - size && text.length < 2 * BYTES) {
            text = Arrays.copyOf(text, Math.min(2 * BYTES, Math.max(size + more, 2 * text.length)));
        }
        if (more > text.length - size) {
            int left = size - BYTES;
            System.arraycopy(text, left, text, 0, BYTES);
            base += left;
            size = BYTES;
        }
    }
}
