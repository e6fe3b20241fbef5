package bt.tabletserver;

import static java.util.Objects.requireNonNull;

import bt.base.Bytes;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntFunction;

/**
 * How many requests a tablet gets, what is large being as many as it costs, told by the minute; and, while somebody wants to know,
 * for which rows. Any thread.
 */
final class Traffic {
    private static final double MINUTE_NANOS = 60e9;
    private static final long WINDOW_NANOS = 10_000_000_000L;

    /** What a window counts for against those before it. */
    private static final double SHARE = 0.3;

    private final LongAdder requests = new LongAdder();
    private final AtomicReference<Window> window;

    /** Absent in nearly all tablets: rows take memory, and are of use where a tablet is to be split. */
    private volatile Optional<RowSamples> rows = Optional.empty();

    Traffic(long nowNanos) {
        this(nowNanos, 0);
    }

    private Traffic(long nowNanos, double perMinute) {
        window = new AtomicReference<>(new Window(nowNanos, 0, perMinute));
    }

    /** What each half of a tablet that is split now will get, until it knows better. */
    Traffic halved(long nowNanos) {
        return new Traffic(nowNanos, perMinute(nowNanos) / 2.0);
    }

    void count(Bytes row) {
        requests.increment();
        Optional<RowSamples> kept = rows;
        if (kept.isPresent()) {
            kept.get().saw(row);
        }
    }

    /** One that was counted costs as much as so many more; for which row each of them is. */
    void count(int more, IntFunction<Bytes> row) {
        requests.add(more);
        Optional<RowSamples> kept = rows;
        if (kept.isPresent()) {
            kept.get().saw(more, row);
        }
    }

    /** From now on some of the rows are kept, if they are not already. One thread, as {@link #forget}. */
    void sample(long nowNanos) {
        if (rows.isEmpty()) {
            rows = Optional.of(new RowSamples(nowNanos));
        }
    }

    /** No row is kept any more. */
    void forget() {
        rows = Optional.empty();
    }

    /** The last row of a lower half that would get about half of the requests, if there is one and rows were kept for long enough. */
    Optional<Bytes> half(long nowNanos) {
        Optional<RowSamples> kept = rows;
        kept.ifPresent(samples -> samples.turn(nowNanos));
        return kept.flatMap(RowSamples::half);
    }

    /** Over the last windows, of ten seconds each or longer; whoever asks begins the next one. */
    long perMinute(long nowNanos) {
        rows.ifPresent(samples -> samples.turn(nowNanos));
        Window last = requireNonNull(window.get());
        long elapsed = nowNanos - last.sinceNanos;
        if (elapsed < WINDOW_NANOS) {
            return Math.round(last.perMinute);
        }
        long all = requests.sum();
        double latest = (double) (all - last.requests) * MINUTE_NANOS / elapsed;
        double rate = last.perMinute + SHARE * (latest - last.perMinute);
        window.compareAndSet(last, new Window(nowNanos, all, rate));
        return Math.round(rate);
    }

    private record Window(long sinceNanos, long requests, double perMinute) {}
}
