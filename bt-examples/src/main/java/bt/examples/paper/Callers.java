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
     * @param cpuHere seconds of this process
     * @param cpuThere seconds of the others that were named
     */
    record Trial(Histogram latencies, double seconds, double cpuHere, double cpuThere) {}

    /** Runs them, and counts what that took of this process and of the others. */
    static Trial measure(int threads, double seconds, List<Long> others, Job job) throws Exception {
        List<Long> here = List.of(ProcessHandle.current().pid());
        double hereBefore = ProcessUse.cpuSeconds(here);
        double thereBefore = ProcessUse.cpuSeconds(others);
        long began = System.nanoTime();
        Histogram latencies = run(threads, seconds, job);
        double took = (System.nanoTime() - began) / 1e9;
        return new Trial(
                latencies, took, ProcessUse.cpuSeconds(here) - hereBefore, ProcessUse.cpuSeconds(others) - thereBefore);
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
