package bt.tabletserver;

import static java.util.Objects.requireNonNull;

import bt.base.Bytes;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;

/**
 * Some of the rows that a tablet is asked for, of the window that runs and of the two before it; a few hundred of each, and
 * nothing is compared or sorted before somebody wants to know where the middle is. Of each row so much is kept as comes behind what
 * all of the window before have begun with, which is kept once: rows may share a long beginning. Any thread.
 */
final class RowSamples {
    static final long WINDOW_NANOS = 5_000_000_000L;

    /** Fewer tell nothing. */
    private static final int LEAST_SAMPLES = 32;

    /** On each side of the row that halves what is asked for there is at least this share of it. */
    private static final double LEAST_SHARE = 0.25;

    private final AtomicReference<Windows> windows;

    /** Threads may lose a step to each other: then it is another request that is taken, and no lock was. */
    private int ticks;

    RowSamples(long nowNanos) {
        windows = new AtomicReference<>(
                new Windows(new SampleWindow(Bytes.EMPTY), nowNanos, 0, 1, SeenRows.NONE, SeenRows.NONE));
    }

    /** One that runs, of which every n-th request is taken, and what is over: the rows of the last one and of the one before it. */
    private record Windows(
            SampleWindow running, long sinceNanos, int ticks, int every, SeenRows last, SeenRows before) {}

    void saw(Bytes row) {
        int tick = ticks++;
        Windows now = requireNonNull(windows.get());
        if (tick % now.every == 0) {
            now.running.take(row);
        }
    }

    /** As many requests, and the row of each. */
    void saw(int requests, IntFunction<Bytes> row) {
        int tick = ticks;
        ticks = tick + requests;
        Windows now = requireNonNull(windows.get());
        for (int i = Math.floorMod(-tick, now.every); i < requests && now.running.hasRoom(); i += now.every) {
            now.running.take(row.apply(i));
        }
    }

    /** Ends the window when it is time. */
    void turn(long nowNanos) {
        Windows now = requireNonNull(windows.get());
        if (nowNanos - now.sinceNanos < WINDOW_NANOS) {
            return;
        }
        int every = Math.max(1, Math.abs(ticks - now.ticks) / SampleWindow.SAMPLES);
        SampleWindow next = new SampleWindow(now.running.shared());
        Windows turned = new Windows(next, nowNanos, ticks, every, now.running.seen(), now.last);
        windows.compareAndSet(now, turned);
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
        Optional<Bytes> median = over.before.at(over.before.size() / 2);
        Optional<Bytes> below = median.flatMap(row -> over.before.at(over.before.firstNotBelow(row) - 1));
        return median.filter(row -> halves(over, row)).or(() -> below.filter(row -> halves(over, row)));
    }

    private static boolean halves(Windows over, Bytes row) {
        return !row.isEmpty() && halves(over.last, row) && halves(over.before, row);
    }

    private static boolean halves(SeenRows seen, Bytes row) {
        double below = (double) seen.firstNotBelow(row.successor()) / seen.size();
        return below >= LEAST_SHARE && below <= 1 - LEAST_SHARE;
    }
}
