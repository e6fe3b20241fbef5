package bt.tablet;

import java.util.Arrays;

/** The sequences of deletions that hide the same cells, kept in descending order, in which they are mostly met. One thread. */
final class Sequences {
    /** Above every sequence. */
    static final long NEVER = Long.MAX_VALUE;

    private long[] descending = new long[4];
    private int size;

    void clear() {
        size = 0;
    }

    void add(long sequence) {
        if (size == descending.length) {
            descending = Arrays.copyOf(descending, 2 * size);
        }
        int at = size++;
        for (; at > 0 && descending[at - 1] < sequence; at--) {
            descending[at] = descending[at - 1];
        }
        descending[at] = sequence;
    }

    /** The lowest one above {@code sequence}; {@link #NEVER} when there is none. */
    long firstAbove(long sequence) {
        int from = 0;
        int to = size;
        while (from < to) {
            int middle = (from + to) >>> 1;
            if (descending[middle] > sequence) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return from == 0 ? NEVER : descending[from - 1];
    }
}
