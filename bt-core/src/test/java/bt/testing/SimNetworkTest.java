package bt.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.BigtableException.Kind;
import bt.base.BigtableException.Outcome;
import bt.base.OverloadedException;
import bt.base.Scheduler.Task;
import bt.protocol.Address;
import bt.protocol.Answer;
import bt.protocol.Network;
import bt.protocol.Request;
import bt.record.FlushTable;
import bt.record.TableCreated;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class SimNetworkTest {
    private static final Address SERVER = new Address("server", 1);
    private static final Duration HOUR = Duration.ofHours(1);

    private final SimScheduler scheduler = new SimScheduler(7);
    private final SimNetwork network = new SimNetwork(scheduler);
    private final Network client = network.of("client");
    private final List<Long> handled = new ArrayList<>();

    @Test
    void anAnswerComesBack() {
        run(() -> {
            serve();
            assertThat(ask(5, 1000)).isEqualTo(6);
            assertThat(handled).containsExactly(5L);
        });
    }

    @Test
    void manyCallsAreOpenAtOnce() {
        run(() -> {
            serve();
            List<CompletableFuture<Answer>> calls = new ArrayList<>();
            for (long i = 0; i < 100; i++) {
                calls.add(client.send(SERVER, request(i), 1000));
            }
            for (int i = 0; i < 100; i++) {
                assertThat(number(await(calls.get(i)))).isEqualTo(i + 1);
            }
            assertThat(scheduler.elapsed()).isLessThan(Duration.ofMillis(10));
        });
    }

    @Test
    void aFailureComesBackAsItsKind() {
        run(() -> {
            network.register(
                    "server",
                    SERVER,
                    (caller, request) -> CompletableFuture.failedFuture(new OverloadedException("full", 250)));
            assertThatThrownBy(() -> ask(1, 1000)).isInstanceOfSatisfying(OverloadedException.class, failure -> {
                assertThat(failure.retryAfterMillis()).isEqualTo(250);
                assertThat(failure).hasMessage("full");
            });
        });
    }

    @Test
    void whereNobodyListensNothingIsApplied() {
        run(() -> assertUnavailable(1000, Outcome.NOT_APPLIED, "server:1: connection refused"));
    }

    @Test
    void anAnswerThatTakesTooLongIsUnknown() {
        run(() -> {
            network.register("server", SERVER, (caller, request) -> new CompletableFuture<>());
            assertUnavailable(700, Outcome.UNKNOWN, "server:1: no answer within 700 ms");
            assertThat(scheduler.elapsed()).isBetween(Duration.ofMillis(700), Duration.ofMillis(701));
        });
    }

    @Test
    void theCallersDeadlineIsInTheClockOfTheProcessThatIsAsked() {
        run(() -> {
            List<Long> left = new ArrayList<>();
            long server = scheduler.process("server").clock().nanos();
            network.register("server", SERVER, (caller, request) -> {
                left.add(caller.deadlineNanos() - server);
                return CompletableFuture.completedFuture(answer(0));
            });
            ask(1, 1000);
            assertThat(left.get(0)).isBetween(1_000_000_000L, 1_002_000_000L);
        });
    }

    @Test
    void aCrashResetsTheCallsThatWereOpen() {
        run(() -> {
            network.register("server", SERVER, (caller, request) -> new CompletableFuture<>());
            scheduler.after(100, () -> scheduler.process("reaper").start("reaper", () -> scheduler.crash("server")));
            assertUnavailable(60_000, Outcome.UNKNOWN, "server:1: connection reset");
            assertThat(scheduler.elapsed()).isLessThan(Duration.ofSeconds(1));
            assertUnavailable(60_000, Outcome.NOT_APPLIED, "server:1: connection refused");
            serve();
            assertThat(ask(1, 1000)).isEqualTo(2);
        });
    }

    @Test
    void aWayIsCutInOneDirection() {
        run(() -> {
            serve();
            network.cut("server", "client");
            assertUnavailable(500, Outcome.UNKNOWN, "server:1: no answer within 500 ms");
            assertThat(handled).hasSize(1);
            network.cut("client", "server");
            assertUnavailable(500, Outcome.UNKNOWN, "server:1: no answer within 500 ms");
            assertThat(handled).hasSize(1);
            network.mend("server", "client");
            network.mend("client", "server");
            assertThat(ask(1, 500)).isEqualTo(2);
        });
    }

    @Test
    void aLateRequestIsHandledAfterItsRetry() {
        run(() -> {
            serve();
            network.setFaults(new SimFaults(100, 1000, 0, 0, 1));
            assertUnavailable(500, Outcome.UNKNOWN, "server:1: no answer within 500 ms");
            network.setFaults(SimFaults.NONE);
            assertThat(ask(2, 500)).isEqualTo(3);
            scheduler.pause(1000);
            assertThat(handled).containsExactly(2L, 1L);
        });
    }

    @Test
    void aCopyOfARequestIsHandledTooAndItsAnswerHeardByNobody() {
        run(() -> {
            network.register("server", SERVER, (caller, request) -> {
                handled.add(number(request));
                return CompletableFuture.completedFuture(answer(handled.size()));
            });
            network.setFaults(SimFaults.NONE.and(1, 0));
            assertThat(ask(5, 1000)).isEqualTo(1);
            network.setFaults(SimFaults.NONE);
            assertThat(handled).containsExactly(5L);
            scheduler.pause(3000);
            assertThat(handled).containsExactly(5L, 5L);
            assertThat(scheduler.counts()).containsEntry(Mishap.REQUEST_TWICE, 1L);
        });
    }

    @Test
    void aCopyMayBeHandledAfterWhatItsSenderSentLater() {
        run(() -> {
            serve();
            int overtaken = 0;
            for (long i = 0; i < 20; i++) {
                handled.clear();
                network.setFaults(SimFaults.NONE.and(1, 0));
                ask(1, 1000);
                network.setFaults(SimFaults.NONE);
                scheduler.pause(500);
                ask(2, 1000);
                scheduler.pause(3000);
                assertThat(handled).startsWith(1L).containsExactlyInAnyOrder(1L, 1L, 2L);
                overtaken += handled.equals(List.of(1L, 2L, 1L)) ? 1 : 0;
            }
            assertThat(overtaken).isBetween(1, 19);
        });
    }

    @Test
    void anOldAnswerComesSecondsAfterItsRequestWasHandled() {
        run(() -> {
            serve();
            List<Duration> took = new ArrayList<>();
            for (long i = 0; i < 20; i++) {
                network.setFaults(SimFaults.NONE.and(0, 1));
                Duration asked = scheduler.elapsed();
                CompletableFuture<Answer> call = client.send(SERVER, request(i), 5000);
                scheduler.pause(5);
                assertThat(handled).hasSize((int) i + 1).endsWith(i);
                assertThat(number(await(call))).isEqualTo(i + 1);
                took.add(scheduler.elapsed().minus(asked));
            }
            assertThat(took)
                    .allMatch(time -> time.compareTo(Duration.ofSeconds(3)) < 0)
                    .anyMatch(time -> time.compareTo(Duration.ofSeconds(1)) > 0);
            assertThat(scheduler.counts()).containsEntry(Mishap.ANSWER_OLD, 20L);
        });
    }

    @Test
    void messagesAreLostAsOftenAsAsked() {
        run(() -> {
            serve();
            network.setFaults(new SimFaults(100, 1000, 0.1, 0.2, 0));
            int answered = 0;
            for (int i = 0; i < 500; i++) {
                try {
                    ask(i, 100);
                    answered++;
                } catch (BigtableException lost) {
                    assertThat(lost.outcome()).isEqualTo(Outcome.UNKNOWN);
                }
            }
            assertThat(handled.size()).isBetween(420, 480);
            assertThat(answered).isBetween(320, 400);
        });
    }

    @Test
    void aBugInAServiceFailsTheRun() {
        assertThatThrownBy(() -> run(() -> {
                    network.register(
                            "server",
                            SERVER,
                            (caller, request) -> CompletableFuture.failedFuture(new IllegalStateException("a bug")));
                    ask(1, 1000);
                }))
                .hasMessageContaining("server failed to handle a request")
                .hasRootCauseMessage("a bug");
    }

    @SeededTest(runs = 10)
    void theSameSeedGivesTheSameTrace(RandomGenerator random) {
        long seed = random.nextLong();
        assertThat(chatter(seed)).isEqualTo(chatter(seed));
        assertThat(chatter(seed)).isNotEqualTo(chatter(seed + 1));
    }

    private static long chatter(long seed) {
        SimScheduler cluster = new SimScheduler(seed);
        SimNetwork between = new SimNetwork(cluster);
        between.setFaults(new SimFaults(100, 5000, 0.1, 0.1, 0.1));
        cluster.run(HOUR, () -> {
            between.register("server", SERVER, (caller, request) -> CompletableFuture.completedFuture(answer(1)));
            for (int i = 0; i < 5; i++) {
                Network from = between.of("client-" + i);
                cluster.process("client-" + i).start("asks", () -> {
                    for (int n = 0; n < 20; n++) {
                        try {
                            cluster.await(from.send(SERVER, request(n), 200), 1000);
                        } catch (BigtableException lost) {
                            assertThat(lost.kind()).isEqualTo(Kind.UNAVAILABLE);
                        }
                    }
                });
            }
            cluster.pause(3000);
            cluster.crash("server");
            cluster.pause(3000);
        });
        return cluster.trace();
    }

    private void run(Step step) {
        Task main = () -> {
            try {
                step.run();
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        };
        scheduler.run(HOUR, main);
    }

    private void serve() {
        network.register("server", SERVER, (caller, request) -> {
            long number = number(request);
            handled.add(number);
            CompletableFuture<Answer> later = new CompletableFuture<>();
            scheduler.process("server").after(1, () -> later.complete(answer(number + 1)));
            return later;
        });
    }

    private long ask(long number, long timeoutMillis) throws BigtableException, InterruptedException {
        return number(await(client.send(SERVER, request(number), timeoutMillis)));
    }

    private Answer await(CompletableFuture<Answer> call) throws BigtableException, InterruptedException {
        return scheduler.await(call, 100_000);
    }

    private void assertUnavailable(long timeoutMillis, Outcome outcome, String message) {
        assertThatThrownBy(() -> ask(1, timeoutMillis))
                .hasMessage(message)
                .isInstanceOfSatisfying(BigtableException.class, failure -> {
                    assertThat(failure.kind()).isEqualTo(Kind.UNAVAILABLE);
                    assertThat(failure.outcome()).isEqualTo(outcome);
                });
    }

    private static Request request(long number) {
        return new Request.Control(FlushTable.newBuilder().setTableId(number).build());
    }

    private static long number(Request request) {
        return ((FlushTable) ((Request.Control) request).message()).getTableId();
    }

    private static Answer answer(long number) {
        return new Answer.Control(TableCreated.newBuilder().setTableId(number).build());
    }

    private static long number(Answer answer) {
        return ((TableCreated) ((Answer.Control) answer).message()).getTableId();
    }

    @FunctionalInterface
    private interface Step {
        void run() throws BigtableException, InterruptedException;
    }
}
