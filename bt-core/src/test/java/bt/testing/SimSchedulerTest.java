package bt.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.Mailbox;
import bt.base.Scheduler;
import bt.base.Scheduler.Worker;
import bt.base.Scheduler.WorkerPool;
import bt.base.UnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class SimSchedulerTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final SimScheduler scheduler = new SimScheduler(1);

    @Test
    void aDayPassesAtOnce() {
        long began = System.nanoTime();
        long micros = scheduler.clock().micros();
        long nanos = scheduler.clock().nanos();
        scheduler.run(
                Duration.ofDays(2), () -> scheduler.pause(Duration.ofDays(1).toMillis()));
        assertThat(scheduler.clock().micros() - micros).isBetween(86_400_000_000L, 86_400_001_000L);
        assertThat(scheduler.clock().nanos() - nanos).isGreaterThanOrEqualTo(86_400_000_000_000L);
        assertThat(System.nanoTime() - began).isLessThan(5_000_000_000L);
    }

    @SeededTest(runs = 20)
    void theSameSeedGivesTheSameOrder(RandomGenerator random) {
        long seed = random.nextLong();
        List<String> first = new ArrayList<>();
        List<String> second = new ArrayList<>();
        assertThat(busy(seed, first)).isEqualTo(busy(seed, second));
        assertThat(first).isEqualTo(second).hasSizeGreaterThan(100);
    }

    @Test
    void otherSeedsGiveOtherOrders() {
        Set<Long> traces = new HashSet<>();
        Set<List<String>> orders = new HashSet<>();
        for (int seed = 0; seed < 20; seed++) {
            List<String> order = new ArrayList<>();
            traces.add(busy(seed, order));
            orders.add(order);
        }
        assertThat(traces).hasSize(20);
        assertThat(orders).hasSize(20);
    }

    /** Futures, pauses, a mailbox, a pool, a crash and a pause of a process; the order in which they were seen. */
    private static long busy(long seed, List<String> order) {
        SimScheduler scheduler = new SimScheduler(seed);
        RandomGenerator random = scheduler.random("test");
        Scheduler one = scheduler.process("one");
        Scheduler two = scheduler.process("two");
        Mailbox<Integer> mailbox = one.mailbox(100);
        scheduler.run(MINUTE, () -> {
            WorkerPool pool = two.pool("pool", 3, 100);
            one.start("reader", () -> {
                while (true) {
                    Integer item = mailbox.poll(1000);
                    order.add("read " + item);
                }
            });
            for (int i = 0; i < 50; i++) {
                int number = i;
                pool.execute(() -> {
                    scheduler.delay(random.nextInt(10));
                    order.add("ran " + number);
                    mailbox.offer(number);
                });
                if (i == 20) {
                    scheduler.pauseProcess("one", 50);
                }
            }
            one.after(70, () -> order.add("timer"));
            scheduler.pause(100);
            scheduler.crash("one");
            pool.execute(() -> order.add("last"));
            scheduler.pause(10);
        });
        return scheduler.trace();
    }

    @Test
    void aWaitEndsWithItsFuture() {
        scheduler.run(MINUTE, () -> {
            CompletableFuture<String> future = new CompletableFuture<>();
            scheduler.start("giver", () -> {
                scheduler.pause(300);
                future.complete("given");
            });
            assertThat(result(future, 1000)).isEqualTo("given");
            assertThat(scheduler.elapsed()).isBetween(Duration.ofMillis(300), Duration.ofMillis(301));
        });
    }

    @Test
    void aWaitEndsWithItsTime() {
        scheduler.run(MINUTE, () -> {
            assertThatThrownBy(() -> scheduler.await(new CompletableFuture<>(), 250))
                    .isInstanceOf(UnavailableException.class)
                    .hasMessage("no answer within 250 ms");
            assertThat(scheduler.elapsed()).isBetween(Duration.ofMillis(250), Duration.ofMillis(251));
            assertThat(scheduler.<Integer>mailbox(1).poll(250)).isNull();
            assertThat(scheduler.elapsed()).isBetween(Duration.ofMillis(500), Duration.ofMillis(501));
        });
    }

    @Test
    void aFailedFutureThrowsItsFailure() {
        scheduler.run(MINUTE, () -> assertThatThrownBy(
                        () -> scheduler.await(CompletableFuture.failedFuture(new UnavailableException("away")), 10))
                .isInstanceOf(UnavailableException.class)
                .hasMessage("away"));
    }

    @Test
    void whoWaitsForSeveralGoesOnWhenTheLastOfThemIsThereOrTheTimeIsOver() {
        scheduler.run(MINUTE, () -> {
            Mailbox<Integer> mailbox = scheduler.mailbox(10);
            scheduler.start("giver", () -> {
                for (int i = 0; i < 3; i++) {
                    scheduler.pause(1);
                    mailbox.offer(i);
                }
            });
            mailbox.awaitSize(2, 10_000);
            assertThat(scheduler.elapsed()).isBetween(Duration.ofMillis(2), Duration.ofNanos(2_500_000));
            mailbox.awaitSize(4, 2_000);
            assertThat(mailbox.size()).isEqualTo(3);
            assertThat(scheduler.elapsed()).isBetween(Duration.ofMillis(4), Duration.ofNanos(4_500_000));
        });
    }

    @Test
    void aFullMailboxAndAFullPoolRefuse() {
        scheduler.run(MINUTE, () -> {
            Mailbox<Integer> mailbox = scheduler.mailbox(2);
            assertThat(mailbox.offer(1)).isTrue();
            assertThat(mailbox.offer(2)).isTrue();
            assertThat(mailbox.offer(3)).isFalse();
            assertThat(mailbox.offerAll(List.of(4), 10)).isZero();
            List<Integer> taken = new ArrayList<>();
            assertThat(mailbox.drainTo(taken, 10)).isEqualTo(2);
            assertThat(taken).containsExactly(1, 2);
            WorkerPool pool = scheduler.pool("pool", 1, 1);
            pool.execute(() -> scheduler.delay(100_000));
            scheduler.pause(1);
            pool.execute(() -> {});
            assertThatThrownBy(() -> pool.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
        });
    }

    @Test
    void anInterruptedWorkerStopsWaiting() {
        scheduler.run(MINUTE, () -> {
            List<String> said = new ArrayList<>();
            Worker worker = scheduler.start("sleeper", () -> {
                try {
                    scheduler.pause(10_000);
                } finally {
                    said.add("ended");
                }
            });
            scheduler.pause(1);
            assertThat(worker.join(5)).isFalse();
            worker.interrupt();
            assertThat(worker.join(1)).isTrue();
            assertThat(said).containsExactly("ended");
            assertThat(worker.isCurrent()).isFalse();
        });
    }

    @Test
    void aClosedPoolInterruptsItsWorkers() {
        scheduler.run(MINUTE, () -> {
            List<String> said = new ArrayList<>();
            WorkerPool pool = scheduler.pool("pool", 2, 10);
            pool.execute(() -> {
                try {
                    scheduler.pause(10_000);
                } catch (InterruptedException stop) {
                    said.add("stopped");
                }
            });
            scheduler.pause(1);
            pool.close();
            scheduler.pause(1);
            assertThat(said).containsExactly("stopped");
            assertThatThrownBy(() -> pool.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
        });
    }

    @Test
    void aCrashedProcessDoesNothingMore() {
        List<String> said = new ArrayList<>();
        scheduler.run(MINUTE, () -> {
            Scheduler victim = scheduler.process("victim");
            scheduler.whenCrashed("victim", () -> said.add("cut off"));
            victim.after(100, () -> said.add("timer"));
            victim.start("loop", () -> {
                try {
                    while (true) {
                        victim.pause(10);
                    }
                } finally {
                    // What product code does on its way out meets a closed port.
                    assertThatThrownBy(() -> scheduler.yieldPoint()).isInstanceOf(ProcessCrashed.class);
                    assertThatThrownBy(() -> victim.pause(1)).isInstanceOf(ProcessCrashed.class);
                    said.add("unwound");
                }
            });
            victim.start("suicide", () -> {
                victim.pause(50);
                scheduler.crash("victim");
                said.add("lives on");
            });
            scheduler.pause(1000);
            assertThat(scheduler.isRunning("victim")).isFalse();
            assertThatThrownBy(() -> victim.start("late", () -> {})).isInstanceOf(ProcessCrashed.class);
            scheduler.process("victim").start("again", () -> said.add("again"));
            scheduler.pause(1);
            assertThat(scheduler.isRunning("victim")).isTrue();
        });
        assertThat(said).containsExactly("cut off", "unwound", "again");
    }

    @Test
    void aPausedProcessStandsStill() {
        scheduler.run(MINUTE, () -> {
            Scheduler victim = scheduler.process("victim");
            List<Duration> ticks = new ArrayList<>();
            victim.start("ticks", () -> {
                while (true) {
                    victim.pause(10);
                    ticks.add(scheduler.elapsed());
                }
            });
            scheduler.pause(100);
            int before = ticks.size();
            scheduler.pauseProcess("victim", 500);
            assertThat(scheduler.isPaused("victim")).isTrue();
            scheduler.pause(499);
            assertThat(ticks).hasSize(before);
            scheduler.pause(20);
            assertThat(ticks).hasSizeGreaterThan(before);
        });
    }

    @Test
    void everyProcessHasItsOwnClock() {
        Scheduler one = scheduler.process("one");
        Scheduler two = scheduler.process("two");
        scheduler.moveClock("two", -60_000_000);
        assertThat(one.clock().micros() - two.clock().micros()).isEqualTo(60_000_000);
        assertThat(one.clock().nanos()).isNotEqualTo(two.clock().nanos());
    }

    @Test
    void aDeadlockIsToldWithWhoWaitsForWhat() {
        SimScheduler stuck = new SimScheduler(42);
        Mailbox<Integer> mailbox = stuck.mailbox(1);
        assertThatThrownBy(() -> stuck.run(MINUTE, () -> {
                    stuck.note("the last that happened");
                    mailbox.poll(Long.MAX_VALUE);
                }))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("seed 42")
                .hasMessageContaining("deadlock")
                .hasMessageContaining("test/main waits for a mailbox")
                .hasMessageContaining("the last that happened");
    }

    @Test
    void aRunThatTakesTooLongFails() {
        assertThatThrownBy(() -> scheduler.run(Duration.ofSeconds(1), () -> scheduler.pause(2000)))
                .hasMessageContaining("not done in the time");
        SimScheduler bounded = new SimScheduler(1, 1000);
        assertThatThrownBy(() -> bounded.run(MINUTE, () -> {
                    while (true) {
                        bounded.pause(0);
                    }
                }))
                .hasMessageContaining("not done after 1000 steps");
    }

    @Test
    void anUncaughtExceptionFailsTheRun() {
        assertThatThrownBy(() -> scheduler.run(MINUTE, () -> {
                    scheduler.process("server").start("worker", () -> {
                        throw new IllegalStateException("a bug");
                    });
                    scheduler.pause(100);
                }))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("server/worker died of")
                .hasRootCauseMessage("a bug");
    }

    @Test
    void whatMustNotWaitFailsWhenItDoes() {
        assertThatThrownBy(() -> scheduler.run(MINUTE, () -> {
                    scheduler.after(10, () -> scheduler.delay(10));
                    scheduler.pause(100);
                }))
                .hasMessageContaining("must not wait");
    }

    @Test
    void noThreadOutlivesTheRun() {
        scheduler.run(MINUTE, () -> {
            for (int i = 0; i < 10; i++) {
                scheduler.process("leaky-" + i).start("worker", () -> scheduler.pause(1_000_000));
                scheduler.process("leaky-" + i).pool("pool", 1, 1).execute(() -> {});
            }
            scheduler.pause(10);
        });
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.isAlive() && thread.getName().startsWith("leaky-"));
    }

    @Test
    void aRunMayGoOnUntilSomethingHolds() {
        List<String> said = new ArrayList<>();
        scheduler.run(MINUTE, () -> !said.isEmpty(), () -> scheduler.after(500, () -> said.add("said")));
        assertThat(said).containsExactly("said");
        assertThat(scheduler.elapsed()).isBetween(Duration.ofMillis(500), Duration.ofMillis(501));
    }

    private <T> T result(CompletableFuture<T> future, long timeoutMillis) throws InterruptedException {
        try {
            return scheduler.await(future, timeoutMillis);
        } catch (BigtableException failed) {
            throw new AssertionError(failed);
        }
    }
}
