package bt.sstable;

import bt.base.CorruptionException;
import bt.base.Input;

/**
 * A Bloom filter whose every key lies in one cache line of 64 bytes, so that a question costs one miss of the CPU's
 * cache. Section: hash u8 (1: XXH64 with seed 0), probes u8, lines u32, lines. See docs/formats/sstable.md.
 */
final class BloomFilter implements Cached {
    static final int LINE_BYTES = 64;
    static final int XXH64 = 1;
    static final int MAX_PROBES = 30;

    /** What the JVM needs beside the lines, about. */
    private static final int OVERHEAD_BYTES = 120;

    /** 2^32 divided by the golden ratio: each multiplication brings nine new bits to the top. */
    private static final int NEXT_PROBE = 0x9e3779b9;

    private final byte[] array;
    private final int from;
    private final int lines;
    private final int probes;

    private BloomFilter(byte[] array, int from, int lines, int probes) {
        this.array = array;
        this.from = from;
        this.lines = lines;
        this.probes = probes;
    }

    static BloomFilter decode(String path, long offset, Payload payload) throws CorruptionException {
        Input in = new Input(path + " block " + offset, 0, payload.array, payload.from, payload.to);
        int hash = in.u8("hash");
        int probes = in.u8("probes");
        int lines = in.u32("lines");
        if (hash != XXH64 || probes < 1 || probes > MAX_PROBES) {
            throw in.corrupt("a filter of hash " + hash + " with " + probes + " probes");
        }
        if (lines < 1 || (long) lines * LINE_BYTES != in.remaining()) {
            throw in.corrupt(Integer.toUnsignedString(lines) + " lines in " + in.remaining() + " bytes");
        }
        return new BloomFilter(payload.array, in.position(), lines, probes);
    }

    @Override
    public int bytes() {
        return lines * LINE_BYTES + OVERHEAD_BYTES;
    }

    /** Of a {@link FilterHash}. False: the file does not hold it. True: probably. */
    boolean mayContain(long hash) {
        int line = from + line(hash, lines) * LINE_BYTES;
        int probe = (int) hash;
        for (int i = 0; i < probes; i++) {
            int bit = probe >>> 23;
            if ((array[line + (bit >>> 3)] & (1 << (bit & 7))) == 0) {
                return false;
            }
            probe *= NEXT_PROBE;
        }
        return true;
    }

    /** The high half of the hash chooses the line. */
    private static int line(long hash, int lines) {
        return (int) (((hash >>> 32) * lines) >>> 32);
    }

    /** Sets the bits of one key in lines that begin at {@code from}. */
    static void set(byte[] array, int from, int lines, int probes, long hash) {
        int line = from + line(hash, lines) * LINE_BYTES;
        int probe = (int) hash;
        for (int i = 0; i < probes; i++) {
            int bit = probe >>> 23;
            array[line + (bit >>> 3)] |= (byte) (1 << (bit & 7));
            probe *= NEXT_PROBE;
        }
    }
}
