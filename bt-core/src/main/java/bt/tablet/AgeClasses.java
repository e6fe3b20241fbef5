package bt.tablet;

import java.util.ArrayList;
import java.util.List;

/**
 * Bytes by the age that cells had at some time: class 0 those of the future, class 1 those younger than a second, and class
 * k those of 2^(k-2) to 2^(k-1) seconds. So few numbers tell how much of a file is older than any age, about, and one odd
 * timestamp changes little. One thread.
 */
final class AgeClasses {
    private static final long SECOND_MICROS = 1_000_000;

    private final List<Long> bytes = new ArrayList<>();

    void add(long ageMicros, long more) {
        int index = ageMicros < 0 ? 0 : Long.SIZE + 1 - Long.numberOfLeadingZeros(ageMicros / SECOND_MICROS);
        while (bytes.size() <= index) {
            bytes.add(0L);
        }
        bytes.set(index, bytes.get(index) + more);
    }

    List<Long> bytes() {
        return List.copyOf(bytes);
    }

    /** About how many of the bytes are older than this; a class in which the border lies is taken for evenly spread. */
    static double olderThan(long ageMicros, List<Long> bytes) {
        double older = 0;
        for (int i = 1; i < bytes.size(); i++) {
            double from = i == 1 ? 0 : Math.scalb((double) SECOND_MICROS, i - 2);
            double to = Math.scalb((double) SECOND_MICROS, i - 1);
            double share = (to - ageMicros) / (to - from);
            older += bytes.get(i) * Math.max(0, Math.min(1, share));
        }
        return older;
    }
}
