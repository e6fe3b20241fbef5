package bt.mapreduce.input;

import bt.base.Bytes;
import bt.model.RowRange;

/**
 * How far a row lies in a range, as if keys were spread evenly: the eight bytes after what its ends have in common are
 * taken for a fraction. An estimate for a progress bar.
 */
final class RowProgress {
    private static final double END_OF_TABLE = 0x1p64;

    private final int common;
    private final double start;
    private final double end;

    RowProgress(RowRange range) {
        common = range.end().map(end -> commonBytes(range.start(), end)).orElse(0);
        start = number(range.start());
        end = range.end().map(this::number).orElse(END_OF_TABLE);
    }

    float of(Bytes row) {
        if (end <= start) {
            return 0;
        }
        return (float) Math.max(0, Math.min(1, (number(row) - start) / (end - start)));
    }

    private double number(Bytes key) {
        double number = 0;
        for (int i = common; i < common + Long.BYTES; i++) {
            number = number * 256 + (i < key.length() ? key.at(i) & 0xff : 0);
        }
        return number;
    }

    private static int commonBytes(Bytes one, Bytes other) {
        int common = 0;
        while (common < Math.min(one.length(), other.length()) && one.at(common) == other.at(common)) {
            common++;
        }
        return common;
    }
}
