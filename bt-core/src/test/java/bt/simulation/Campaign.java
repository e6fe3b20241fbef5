package bt.simulation;

import bt.testing.OneCore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongFunction;
import java.util.stream.LongStream;

/** Many lives, as many at a time as there are processors, each on one of them: each is a simulation of its own. */
final class Campaign {
    private Campaign() {}

    /** What was wrong with one seed. */
    record Failure(long seed, Throwable cause) {}

    /**
     * Waits for all.
     *
     * @param life throws, or returns what is wrong with a seed
     * @return those that failed, in the order of the seeds
     */
    static List<Failure> run(LongStream seeds, LongFunction<Optional<Throwable>> life) throws InterruptedException {
        int threads = Math.max(1, Runtime.getRuntime().availableProcessors());
        ExecutorService pool = Executors.newFixedThreadPool(threads, OneCore.threads("lives"));
        try {
            List<Future<Optional<Failure>>> lives = new ArrayList<>();
            seeds.forEach(
                    seed -> lives.add(pool.submit(() -> life.apply(seed).map(cause -> new Failure(seed, cause)))));
            List<Failure> failures = new ArrayList<>();
            for (Future<Optional<Failure>> each : lives) {
                each.get().ifPresent(failures::add);
            }
            return failures;
        } catch (ExecutionException bug) {
            throw new AssertionError(bug.getCause());
        } finally {
            pool.shutdownNow();
        }
    }
}
