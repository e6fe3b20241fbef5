package bt.sstable;

import bt.base.Output;
import bt.base.Slice;
import java.util.Arrays;

/** Gathers the filter keys of a file: 8 bytes a key until the number is known that the filter's size follows from. */
final class BloomBuilder {
    /** All filters of a file lie in what its opening reads: beyond this one has fewer bits a key. */
    static final int MAX_FILTER_BYTES = 16 << 20;

    private final FilterKey filterKey;
    private final int bitsPerKey;
    private long[] hashes = new long[256];
    private int count;
    private byte[] last = new byte[64];
    private int lastLength = -1;

    BloomBuilder(FilterKey filterKey, int bitsPerKey) {
        this.filterKey = filterKey;
        this.bitsPerKey = bitsPerKey;
    }

    void add(Slice key) {
        int length = filterKey.length(key);
        if (length == lastLength && key.startsWith(last, length)) {
            return;
        }
        if (length > last.length) {
            last = new byte[Math.max(length, last.length * 2)];
        }
        System.arraycopy(key.array(), key.from(), last, 0, length);
        lastLength = length;
        if (count == hashes.length) {
            hashes = Arrays.copyOf(hashes, count * 2);
        }
        hashes[count++] = FilterHash.of(last, length);
    }

    Output finish() {
        long bytes = Math.min(MAX_FILTER_BYTES, ((long) count * bitsPerKey + 7) / 8);
        int lines = (int) Math.max(1, (bytes + BloomFilter.LINE_BYTES - 1) / BloomFilter.LINE_BYTES);
        // The best number of probes is bits a key times ln 2, here with the bits that the keys really have.
        long bits = count == 0 ? bitsPerKey : Math.min(bitsPerKey, bytes * 8 / count);
        int probes = (int) Math.max(1, Math.min(BloomFilter.MAX_PROBES, Math.round(bits * Math.log(2))));
        byte[] array = new byte[lines * BloomFilter.LINE_BYTES];
        for (int i = 0; i < count; i++) {
            BloomFilter.set(array, 0, lines, probes, hashes[i]);
        }
        return new Output(array.length + 6)
                .u8(BloomFilter.XXH64)
                .u8(probes)
                .u32(lines)
                .raw(array);
    }
}
