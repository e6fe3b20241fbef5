package bt.sstable;

import bt.base.Output;
import java.util.Arrays;

/** The dictionary of a file that is being written: strings one after another as they were found to be common. */
final class CommonStrings {
    private static final int FIRST_BYTES = 64 << 10;

    private final Fingerprints fingerprints;
    private final int maxBytes;
    private byte[] text = new byte[FIRST_BYTES];
    private int size;

    CommonStrings(Fingerprints fingerprints, int maxBytes) {
        this.fingerprints = fingerprints;
        this.maxBytes = maxBytes;
    }

    byte[] array() {
        return text;
    }

    int size() {
        return size;
    }

    boolean hasRoom(int more) {
        return more <= maxBytes - size;
    }

    /**
     * Adds a string that the window has at {@code inWindow}; where it lies now. The chunks of it that have fingerprints are from
     * now on found here.
     */
    int add(byte[] from, int at, int length, int inWindow) {
        if (length > text.length - size) {
            text = Arrays.copyOf(text, Math.min(maxBytes, Math.max(size + length, 2 * text.length)));
        }
        int added = size;
        System.arraycopy(from, at, text, added, length);
        size += length;
        int chunk = Fingerprints.CHUNK_BYTES;
        for (int position = (inWindow + chunk - 1) / chunk * chunk;
                position + chunk <= inWindow + length;
                position += chunk) {
            int here = added + position - inWindow;
            fingerprints.putCommon(Fingerprints.of(text, here), here);
        }
        return added;
    }

    /** Of all there is, into an empty table. */
    void putFingerprints() {
        for (int at = 0; at <= size - Fingerprints.CHUNK_BYTES; at += Fingerprints.CHUNK_BYTES) {
            fingerprints.putCommon(Fingerprints.of(text, at), at);
        }
    }

    Output bytes() {
        return new Output(size).raw(text, 0, size);
    }
}
