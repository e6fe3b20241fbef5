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

    /**
     * What came of them.
     *
     * @param here what this process used
     * @param there what the others did that were named
     */
    record Trial(Histogram latencies, double seconds, ProcessUse here, ProcessUse there) {}

    /** Runs them, and counts what that took of this process and of the others. */
    static Trial measure(int threads, double seconds, List<Long> others, Job job) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            ProcessUse.Since there = ProcessUse.since(others);
            ProcessUse.Since here =
                    ProcessUse.since(List.of(ProcessHandle.current().pid()));
            long began = System.nanoTime();
            Histogram latencies = run(pool, threads, seconds, job);
            double took = (System.nanoTime() - began) / 1e9;
            ProcessUse.Until untilThere = there.now();
            ProcessUse.Until untilHere = here.now();
            // Before the threads end: what those had allocated nobody could tell.
            return new Trial(latencies, took, here.until(untilHere), there.until(untilThere));
        } finally {
            pool.shutdownNow();
        }
    }

    /** How long each operation of all of them took. The first failure, in their order, is thrown. */
    static Histogram run(int threads, double seconds, Job job) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            return run(pool, threads, seconds, job);
        } finally {
            pool.shutdownNow();
        }
    }

    private static Histogram run(ExecutorService pool, int threads, double seconds, Job job) throws Exception {
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
        for (Future<?> part : parts) {
            part.get();
        }
        Histogram all = new Histogram(RangeWork.DIGITS_OF_LATENCIES);
        latencies.forEach(all::add);
        return all;
    }
}
