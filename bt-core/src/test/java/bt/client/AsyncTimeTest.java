package bt.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.OverloadedException;
import bt.base.UnavailableException;
import bt.model.RowMutation;
import bt.protocol.Answer;
import bt.protocol.Network;
import bt.testing.MemoryCluster;
import bt.testing.SimScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When a call that nobody waits for asks again, and when it is over: as one that somebody waits for. */
class AsyncTimeTest {
    private static final Bytes ROW = Bytes.utf8("r");
    private static final RowMutation WRITE =
            RowMutation.of(ROW).set("anchor", "q", "value").build();
    private static final ClientOptions OPTIONS =
            ClientOptions.DEFAULT.operationTimeout(Duration.ofSeconds(10)).requestTimeout(Duration.ofSeconds(6));

    private final SimScheduler scheduler = new SimScheduler(1);
    private final List<Long> askedMillis = new ArrayList<>();
    private MemoryCluster cluster;

    /** What the table's server answers instead, by how long it is waited for; empty where it answers. */
    private Function<Long, Optional<CompletableFuture<Answer>>> instead = millis -> Optional.empty();

    @BeforeEach
    void start() throws Exception {
        cluster = new MemoryCluster();
        cluster.table(4, TableTest.WEBTABLE, List.of(), 3);
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    /** What somebody does with a table whose tablet he has found. */
    @FunctionalInterface
    private interface Story {
        void tell(AsyncTable table) throws BigtableException, InterruptedException;
    }

    private void run(Story story) {
        Network network = (to, request, timeoutMillis) -> {
            if (!to.equals(MemoryCluster.address(3))) {
                return cluster.send(to, request, timeoutMillis);
            }
            askedMillis.add(nowMillis());
            return instead.apply(timeoutMillis).orElseGet(() -> cluster.send(to, request, timeoutMillis));
        };
        scheduler.run(Duration.ofHours(1), () -> {
            try (Bigtable client =
                    Bigtable.over(network, cluster.locks, scheduler, scheduler.random("client"), OPTIONS)) {
                AsyncTable table = client.asyncTable("webtable");
                assertThat(scheduler.await(table.read(ROW), 1_000)).isEmpty();
                askedMillis.clear();
                story.tell(table);
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    private long nowMillis() {
        return scheduler.clock().nanos() / 1_000_000;
    }

    @Test
    void aReadThatNobodyAnswersIsOverWhenTheTimeOfAnOperationIs() {
        run(table -> {
            instead = this::silence;
            endsInTime(table.read(ROW));
            endsInTime(table.apply(WRITE));
        });
    }

    @Test
    void whoIsToComeBackLaterThanThatIsNotWaitedFor() {
        run(table -> {
            instead = millis -> failed(new OverloadedException("full", 60_000));
            endsInTime(table.read(ROW));
            endsInTime(table.apply(WRITE));
        });
    }

    private void endsInTime(CompletableFuture<?> call) {
        long begin = nowMillis();
        assertThatThrownBy(() -> scheduler.await(call, 600_000)).isInstanceOf(BigtableException.class);
        assertThat(nowMillis() - begin).isBetween(9_000L, 10_100L);
    }

    @Test
    void theSecondAttemptComesAfterAPauseThatIsSpread() {
        run(table -> {
            asksAgainAfter(10, 30, new UnavailableException("not here"), table::read);
            asksAgainAfter(10, 30, new UnavailableException("not here"), row -> table.apply(WRITE));
            asksAgainAfter(510, 530, new OverloadedException("full", 500), table::read);
            asksAgainAfter(510, 530, new OverloadedException("full", 500), row -> table.apply(WRITE));
        });
    }

    private void asksAgainAfter(
            long least, long most, BigtableException failure, Function<Bytes, CompletableFuture<?>> call)
            throws BigtableException, InterruptedException {
        askedMillis.clear();
        instead = millis -> askedMillis.size() > 1 ? Optional.empty() : failed(failure);
        assertThat(scheduler.await(call.apply(ROW), 600_000)).isNotNull();
        assertThat(askedMillis).hasSize(2);
        assertThat(askedMillis.get(1) - askedMillis.get(0)).isBetween(least, most);
    }

    private static Optional<CompletableFuture<Answer>> failed(BigtableException failure) {
        return Optional.of(CompletableFuture.failedFuture(failure));
    }

    private Optional<CompletableFuture<Answer>> silence(long millis) {
        CompletableFuture<Answer> late = new CompletableFuture<>();
        scheduler.after(millis, () -> late.completeExceptionally(new UnavailableException("no answer")));
        return Optional.of(late);
    }
}
