package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.Scheduler.WorkerPool;
import bt.base.UnavailableException;
import bt.testing.SimScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TabletJobsTest {
    private final SimScheduler scheduler = new SimScheduler(1);
    private final List<String> done = new ArrayList<>();
    private String pool = "";

    @Test
    void jobsRunInTheirOrderEachOnItsThreads() {
        scheduler.run(Duration.ofMinutes(1), () -> {
            TabletJobs jobs = new TabletJobs(named("jobs"));
            CompletableFuture<Void> all = CompletableFuture.allOf(
                    jobs.submit(job("load"), named("loads")),
                    jobs.submit(job("flush")),
                    jobs.submit(job("unload")),
                    jobs.submit(job("load again"), named("loads")));
            scheduler.pause(10_000);
            assertThat(all).isCompleted();
            assertThat(done).containsExactly("load: loads", "flush: jobs", "unload: jobs", "load again: loads");
        });
    }

    @Test
    void whatNoThreadTakesEndsWhatWaits() throws Exception {
        Executor full = job -> {
            throw new RejectedExecutionException();
        };
        List<Runnable> begun = new ArrayList<>();
        TabletJobs jobs = new TabletJobs(begun::add);
        CompletableFuture<Void> first = jobs.submit(() -> {});
        CompletableFuture<Void> refused = jobs.submit(() -> {}, full);
        CompletableFuture<Void> behind = jobs.submit(() -> {});
        begun.remove(0).run();
        assertThat(first).isCompleted();
        for (CompletableFuture<Void> failed : List.of(refused, behind)) {
            assertThatThrownBy(failed::join).hasCauseInstanceOf(UnavailableException.class);
        }
        CompletableFuture<Void> next = jobs.submit(() -> {});
        begun.remove(0).run();
        assertThat(next).isCompleted();
    }

    @Test
    void jobsOfOthersStandBehindOneOfATabletThatHasMany() throws Exception {
        WorkerPool one = scheduler.pool("one", 1, 1_000);
        scheduler.run(Duration.ofMinutes(10), () -> {
            TabletJobs many = new TabletJobs(one);
            List<String> names = IntStream.range(0, 100).mapToObj(i -> "a" + i).toList();
            CompletableFuture<?> all = CompletableFuture.allOf(
                    names.stream().map(name -> many.submit(job(name))).toArray(CompletableFuture<?>[]::new));
            CompletableFuture<Void> other = new TabletJobs(one).submit(job("b"));
            scheduler.pause(200_000);
            assertThat(all).isCompleted();
            assertThat(other).isCompleted();
            List<String> expected = new ArrayList<>(names);
            expected.add(1, "b");
            assertThat(done)
                    .isEqualTo(expected.stream().map(name -> name + ": ").toList());
        });
    }

    /** As those of a server that ends. */
    @Test
    void whatFindsNoPlaceInTheLineAnyMoreGoesOnWhereItIs() throws Exception {
        List<Runnable> begun = new ArrayList<>();
        Executor once = job -> {
            if (!begun.isEmpty()) {
                throw new RejectedExecutionException();
            }
            begun.add(job);
        };
        TabletJobs jobs = new TabletJobs(once);
        CompletableFuture<Void> first = jobs.submit(() -> done.add("first"));
        CompletableFuture<Void> second = jobs.submit(() -> done.add("second"));
        begun.get(0).run();
        assertThat(CompletableFuture.allOf(first, second)).isCompleted();
        assertThat(done).containsExactly("first", "second");
    }

    /** Each of the tablet's jobs asks for its threads anew. */
    @Test
    void whatFindsNoPlaceInItsTablesLineGoesOnWhereItIs() throws Exception {
        List<Runnable> begun = new ArrayList<>();
        try (TableThreads threads = new TableThreads(thread(begun), 1, 1)) {
            TabletJobs jobs = new TabletJobs(threads.of(7));
            CompletableFuture<Void> first = jobs.submit(() -> done.add("first"), threads.of(7));
            CompletableFuture<Void> second = jobs.submit(() -> done.add("second"), threads.of(7));
            threads.of(7).execute(() -> done.add("another tablet's"));
            begun.remove(0).run();
            assertThat(CompletableFuture.allOf(first, second)).isCompleted();
            assertThat(done).containsExactly("first", "second");
            begun.remove(0).run();
            assertThat(done).endsWith("another tablet's");
            assertThat(threads.of(7)).isNotEqualTo(threads.of(8));
        }
    }

    private static WorkerPool thread(List<Runnable> begun) {
        return new WorkerPool() {
            @Override
            public void execute(Runnable work) {
                begun.add(work);
            }

            @Override
            public void close() {}

            @Override
            public boolean join(long timeoutMillis) {
                return true;
            }
        };
    }

    /** Between its parts it holds no thread. */
    @Test
    void nothingOfTheTabletComesBeforeTheRestOfAJob() throws Exception {
        List<Runnable> threads = new ArrayList<>();
        List<Runnable> later = new ArrayList<>();
        TabletJobs jobs = new TabletJobs(threads::add);
        CompletableFuture<Void> inParts = jobs.submit(inParts(3), threads::add, later::add);
        CompletableFuture<Void> next = jobs.submit(() -> done.add("next"));
        threads.remove(0).run();
        for (int rest = 2; rest > 0; rest--) {
            assertThat(threads).isEmpty();
            assertThat(inParts).isNotDone();
            later.remove(0).run();
        }
        assertThat(inParts).isCompleted();
        assertThat(later).isEmpty();
        assertThat(next).isNotDone();
        threads.remove(0).run();
        assertThat(next).isCompleted();
        assertThat(done).containsExactly("3 left", "2 left", "1 left", "next");
    }

    private TabletJobs.Part inParts(int left) {
        return () -> {
            done.add(left + " left");
            return left == 1 ? Optional.empty() : Optional.of(inParts(left - 1));
        };
    }

    /** Each takes a while, in which another would be seen. */
    private TabletJobs.Job job(String name) {
        return () -> {
            String began = pool;
            scheduler.pause(1_000);
            done.add(name + ": " + began);
        };
    }

    private Executor named(String name) {
        return job -> scheduler.start(name, () -> {
            pool = name;
            job.run();
        });
    }
}
