package bt.protocol;

import java.util.List;
import java.util.OptionalLong;

/**
 * Classes of how long something took: one for each microsecond below eight, from there on eight to a doubling, the last for
 * more than a minute. So servers tell how long a million requests took in a few hundred bytes, whoever asks several adds
 * them up, and what comes out is right within an eighth.
 */
public final class LatencyScale {
    /** How many classes there are. */
    public static final int CLASSES = 200;

    private static final int STEP_BITS = 3;
    private static final int STEPS = 1 << STEP_BITS;

    private LatencyScale() {}

    public static int classOf(long micros) {
        if (micros < STEPS) {
            return (int) Math.max(0, micros);
        }
        int shift = Long.SIZE - 1 - Long.numberOfLeadingZeros(micros) - STEP_BITS;
        return (int) Math.min(CLASSES - 1, (shift << STEP_BITS) + (micros >>> shift));
    }

    /** The longest time of a class; of the last it is the shortest that is longer than all others. */
    public static long longestMicros(int latencyClass) {
        if (latencyClass < STEPS) {
            return latencyClass;
        }
        int shift = (latencyClass >> STEP_BITS) - 1;
        long steps = (long) STEPS + (latencyClass & (STEPS - 1));
        return ((steps + 1) << shift) - 1;
    }

    /** A time that this share of all took, or less; empty where there was nothing. Classes left out at the end are empty. */
    public static OptionalLong quantileMicros(List<Long> counts, double share) {
        long all = 0;
        for (long count : counts) {
            all += count;
        }
        long wanted = (long) Math.ceil(all * share);
        for (int i = 0; i < counts.size(); i++) {
            wanted -= counts.get(i);
            if (wanted <= 0 && all > 0) {
                return OptionalLong.of(longestMicros(i));
            }
        }
        return OptionalLong.empty();
    }
}
