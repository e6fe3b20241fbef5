package bt.tabletserver;

import static java.util.Objects.requireNonNull;

import bt.base.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Some of the rows that a tablet is asked for, of the window that runs and of the two before it; a few hundred of each, and
 * nothing is compared or sorted before somebody wants to know where the middle is. Any thread.
 */
final class RowSamples {
    static final long WINDOW_NANOS = 5_000_000_000L;
    private static final int SAMPLES = 256;

    private static final int ROW_BYTES = 128;

    /** Fewer tell nothing. */
    private static final int LEAST_SAMPLES = 32;

    /** On each side of the row that halves what is asked for there is at least this share of it. */
    private static final double LEAST_SHARE = 0.25;

    private final AtomicReferenceArray<Bytes> rows = new AtomicReferenceArray<>(SAMPLES);
    private final AtomicInteger taken = new AtomicInteger();
    private final AtomicReference<Windows> windows;

    /** Threads may lose a step to each other: then it is another request that is taken, and no lock was. */
    private int ticks;

    RowSamples(long nowNanos) {
        windows = new AtomicReference<>(new Windows(nowNanos, 0, 1, List.of(), List.of()));
    }

    /** What is over: the rows of the last window and of the one before it. Of the running one every n-th request is taken. */
    private record Windows(long sinceNanos, int ticks, int every, List<Bytes> last, List<Bytes> before) {}

    void saw(Bytes row) {
        int tick = ticks++;
        if (tick % requireNonNull(windows.get()).every == 0) {
            int at = taken.getAndIncrement();
            if (at < SAMPLES) {
                // A copy: the row may lie in the whole frame that it came in. Its beginning is enough to split at.
                rows.set(
                        at,
                        Bytes.wrap(
                                row.slice(0, Math.min(row.length(), ROW_BYTES)).toArray()));
            }
        }
    }

    /** Ends the window when it is time. */
    void turn(long nowNanos) {
        Windows now = requireNonNull(windows.get());
        if (nowNanos - now.sinceNanos < WINDOW_NANOS) {
            return;
        }
        int count = Math.min(SAMPLES, taken.get());
        List<Bytes> seen = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Bytes row = rows.getAndSet(i, null);
            if (row != null) {
                seen.add(row);
            }
        }
        seen.sort(null);
        int every = Math.max(1, Math.abs(ticks - now.ticks) / SAMPLES);
        if (windows.compareAndSet(now, new Windows(nowNanos, ticks, every, seen, now.last))) {
            taken.set(0);
        }
    }

    /**
     * The last row of a lower half that gets about half of what is asked for, in each of the last two windows: so neither one
     * hot row has such a row, nor what is written in the order of its keys, whose busy place has moved on.
     */
    Optional<Bytes> half() {
        Windows over = requireNonNull(windows.get());
        if (over.last.size() < LEAST_SAMPLES || over.before.size() < LEAST_SAMPLES) {
            return Optional.empty();
        }
        Bytes median = over.before.get(over.before.size() / 2);
        int first = firstNotBelow(over.before, median);
        Optional<Bytes> below = first == 0 ? Optional.empty() : Optional.of(over.before.get(first - 1));
        return Optional.of(median).filter(row -> halves(over, row)).or(() -> below.filter(row -> halves(over, row)));
    }

    private static boolean halves(Windows over, Bytes row) {
        return !row.isEmpty() && halves(over.last, row) && halves(over.before, row);
    }

    private static boolean halves(List<Bytes> sorted, Bytes row) {
        double below = (double) firstNotBelow(sorted, row.successor()) / sorted.size();
        return below >= LEAST_SHARE && below <= 1 - LEAST_SHARE;
    }

    private static int firstNotBelow(List<Bytes> sorted, Bytes row) {
        int first = 0;
        while (first < sorted.size() && sorted.get(first).compareTo(row) < 0) {
            first++;
        }
        return first;
    }
}
