package bt.sstable;

import bt.base.Output;
import java.util.Arrays;

/**
 * Bentley and McIlroy's compression of long strings ("Data compression with long repeated strings", 2001), block by block. It
 * keeps fingerprints of every {@value Fingerprints#CHUNK_BYTES}th chunk of what went before, and looks at every place of a block
 * whether a chunk begins there that was seen before. What went before lies in the {@link Window}, text that is in no dictionary;
 * a string that comes there for the fourth time is added to the {@link CommonStrings}, the file's dictionary, and is from then on a
 * copy of it. Strings that come twice or thrice, or far apart, would fill the dictionary
 * with what hardly comes again. One thread.
 */
final class FirstPass {
    private static final int SIGHTINGS = 4;

    /** Chunks before the one that was found are found with it where their fingerprints were lost. */
    private static final int MAX_BACK_BYTES = 8 * Fingerprints.CHUNK_BYTES;

    private final Fingerprints fingerprints = new Fingerprints();
    private final Window window = new Window(fingerprints);
    private final CommonStrings common = new CommonStrings(fingerprints, TwoPassCodec.MAX_DICTIONARY_BYTES);
    private final Output commands = new Output(16 << 10);
    private final Output literals = new Output(64 << 10);
    private byte[] block = {};
    private int length;
    /** Where the bytes begin that are not yet in {@code literals}. */
    private int literalAt;

    private int copyEnd;

    void compress(byte[] newBlock, int newLength, Output out) {
        block = newBlock;
        length = newLength;
        literalAt = 0;
        copyEnd = 0;
        commands.clear();
        literals.clear();
        if (window.isAtItsEnd()) {
            fingerprints.clear();
            window.clear();
            common.putFingerprints();
        }
        scan();
        literals.raw(block, literalAt, length - literalAt);
        window.add(literals.array(), literals.size());
        out.varint(commands.size()).raw(commands.array(), 0, commands.size());
        out.raw(literals.array(), 0, literals.size());
    }

    Output dictionary() {
        return common.bytes();
    }

    private void scan() {
        int last = length - Fingerprints.CHUNK_BYTES;
        int at = 0;
        int fingerprint = last < 0 ? 0 : Fingerprints.of(block, 0);
        while (at <= last) {
            long entry = fingerprints.find(fingerprint);
            int next = entry == Fingerprints.NOTHING ? at : pass(entry, fingerprint, at);
            if (next > at) {
                at = next;
                fingerprint = at > last ? 0 : Fingerprints.of(block, at);
            } else {
                fingerprint = at == last
                        ? 0
                        : Fingerprints.roll(fingerprint, block[at], block[at + Fingerprints.CHUNK_BYTES]);
                at++;
            }
        }
    }

    /** Where to go on: behind the string that begins at {@code at}, copied or not, or at {@code at} where there is none. */
    private int pass(long entry, int fingerprint, int at) {
        boolean isCommon = Fingerprints.isCommon(entry);
        byte[] text = isCommon ? common.array() : window.array();
        int end = isCommon ? common.size() : window.size();
        int from = isCommon ? Fingerprints.position(entry) : window.index(Fingerprints.position(entry));
        if (from < 0 || from > end - Fingerprints.CHUNK_BYTES) {
            return at;
        }
        int ahead = ahead(text, from, end, at);
        if (ahead < Fingerprints.CHUNK_BYTES) {
            return at;
        }
        int back = back(text, from, at);
        int size = ahead + back;
        if (isCommon) {
            copy(at - back, from - back, size);
        } else if (fingerprints.sight(fingerprint, entry) >= SIGHTINGS && common.hasRoom(size)) {
            copy(at - back, common.add(block, at - back, size, window.position(from - back)), size);
        }
        // Behind it even where nothing comes of it: to look at every byte of a long string again would take for ever.
        return at + ahead;
    }

    private int ahead(byte[] text, int from, int end, int at) {
        int most = Math.min(end - from, length - at);
        int mismatch = Arrays.mismatch(text, from, from + most, block, at, at + most);
        return mismatch < 0 ? most : mismatch;
    }

    private int back(byte[] text, int from, int at) {
        int most = Math.min(MAX_BACK_BYTES, Math.min(from, at - literalAt));
        int back = 0;
        while (back < most && text[from - back - 1] == block[at - back - 1]) {
            back++;
        }
        return back;
    }

    private void copy(int at, int from, int size) {
        int distance = from - copyEnd;
        commands.varint(at - literalAt).varint(size).varint(((distance << 1) ^ (distance >> 31)) & 0xffff_ffffL);
        literals.raw(block, literalAt, at - literalAt);
        literalAt = at + size;
        copyEnd = from + size;
    }
}
