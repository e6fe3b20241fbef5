package bt.tabletserver;

import static java.util.Objects.requireNonNull;

import bt.base.Bytes;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntFunction;

/** How many requests a tablet gets, what is large being as many as it costs, told by the minute; and for which rows. Any thread. */
final class Traffic {
    private static final double MINUTE_NANOS = 60e9;
    private static final long WINDOW_NANOS = 10_000_000_000L;

    /** What a window counts for against those before it. */
    private static final double SHARE = 0.3;

    private final LongAdder requests = new LongAdder();
    private final AtomicReference<Window> window;
    private final RowSamples rows;

    Traffic(long nowNanos) {
        this(nowNanos, 0);
    }

    private Traffic(long nowNanos, double perMinute) {
        window = new AtomicReference<>(new Window(nowNanos, 0, perMinute));
        rows = new RowSamples(nowNanos);
    }

    /** What each half of a tablet that is split now will get, until it knows better. */
    Traffic halved(long nowNanos) {
        return new Traffic(nowNanos, perMinute(nowNanos) / 2.0);
    }

    void count(Bytes row) {
        requests.increment();
        rows.saw(row);
    }

    /** One that was counted costs as much as so many more; for which row each of them is. */
    void count(int more, IntFunction<Bytes> row) {
        requests.add(more);
        rows.saw(more, row);
    }

    /** The last row of a lower half that would get about half of the requests, if there is one. */
    Optional<Bytes> half(long nowNanos) {
        rows.turn(nowNanos);
        return rows.half();
    }

    /** Over the last windows, of ten seconds each or longer; whoever asks begins the next one. */
    long perMinute(long nowNanos) {
        rows.turn(nowNanos);
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
