package bt.examples.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.HdrHistogram.Histogram;

/** A number of threads that do one job at once, and the measure of that. They live as long as it does. One owner thread. */
final class Crew implements AutoCloseable {
    private final int threads;
    private final ExecutorService workers;

    Crew(int threads) {
        this.threads = threads;
        this.workers = Executors.newFixedThreadPool(threads, run -> {
            Thread worker = new Thread(run, "bench-worker");
            worker.setDaemon(true);
            return worker;
        });
    }

    /** One thread's part of a job. */
    interface Job {
        /** How many operations were done; each may be noted with its nanoseconds. */
        long run(int thread, Histogram latencies) throws Exception;
    }

    int threads() {
        return threads;
    }

    /** Runs the job in every thread, from one instant on, until all have ended. */
    Sample run(Job job) throws Exception {
        List<Histogram> latencies = new ArrayList<>();
        List<Future<Long>> parts = new ArrayList<>();
        CountDownLatch ready = new CountDownLatch(threads);
        CountDownLatch go = new CountDownLatch(1);
        for (int i = 0; i < threads; i++) {
            int thread = i;
            Histogram own = Tally.noLatencies();
            latencies.add(own);
            parts.add(workers.submit(() -> {
                ready.countDown();
                go.await();
                return job.run(thread, own);
            }));
        }
        ready.await();
        Usage before = Usage.now();
        go.countDown();
        long ops = 0;
        for (Future<Long> part : parts) {
            ops += part.get();
        }
        Usage usage = Usage.now().since(before);
        Histogram all = Tally.noLatencies();
        latencies.forEach(all::add);
        return new Sample(ops, usage, all);
    }

    @Override
    public void close() {
        workers.shutdownNow();
    }
}
