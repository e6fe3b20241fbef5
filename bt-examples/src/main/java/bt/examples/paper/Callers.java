package bt.examples.paper;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.HdrHistogram.Histogram;

/** Threads of this process that do the same until a time is over. */
final class Callers {
    private Callers() {}

    /** What one thread does until the time is over, by {@link System#nanoTime}: it adds each operation's nanoseconds. */
    interface Job {
        void run(long endNanos, Histogram latencies) throws Exception;
    }

    /** How long each operation of all of them took. The first failure, in their order, is thrown. */
    static Histogram run(int threads, double seconds, Job job) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            long end = System.nanoTime() + (long) (seconds * 1e9);
            List<Histogram> latencies = new ArrayList<>();
            List<Future<?>> parts = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                Histogram own = new Histogram(RangeWork.DIGITS_OF_LATENCIES);
                latencies.add(own);
                parts.add(pool.submit(() -> {
                    job.run(end, own);
                    return own;
                }));
            }
            Histogram all = new Histogram(RangeWork.DIGITS_OF_LATENCIES);
            for (Future<?> part : parts) {
                part.get();
            }
            latencies.forEach(all::add);
            return all;
        } finally {
            pool.shutdownNow();
        }
    }
}
