package bt.sstable;

import java.util.Arrays;

/** A user's codec: pairs of a count and a byte. */
public final class RunLengthCodec implements Codec {
    private static final int MAX_RUN = 255;

    @Override
    public int number() {
        return 200;
    }

    @Override
    public String name() {
        return "run-length";
    }

    @Override
    public int maxCompressedBytes(int length) {
        return 2 * length;
    }

    @Override
    public int compress(byte[] source, int length, byte[] target) {
        int size = 0;
        for (int at = 0; at < length; ) {
            int run = 1;
            while (run < MAX_RUN && at + run < length && source[at + run] == source[at]) {
                run++;
            }
            target[size++] = (byte) run;
            target[size++] = source[at];
            at += run;
        }
        return size;
    }

    @Override
    public long maxUncompressedBytes(int size) {
        return (long) size / 2 * MAX_RUN;
    }

    @Override
    public boolean decompress(byte[] source, int from, int size, byte[] target) {
        int filled = 0;
        for (int at = from; at + 1 < from + size; at += 2) {
            int run = source[at] & 0xff;
            if (run > target.length - filled) {
                return false;
            }
            Arrays.fill(target, filled, filled + run, source[at + 1]);
            filled += run;
        }
        return filled == target.length && size % 2 == 0;
    }
}
