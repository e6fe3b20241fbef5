package bt.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.Bytes;
import bt.model.RowMutation;
import bt.model.RowRange;
import bt.protocol.Request;
import bt.testing.MemoryCluster;
import bt.testing.MemoryService;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Threads of a client whose calls are under way when it is closed. */
class ClosingTest {
    private static final RowMutation WRITE =
            RowMutation.of("r").set("anchor", "a", "1").build();
    private static final RowMutation OTHER =
            RowMutation.of("s").set("anchor", "a", "1").build();

    private final Set<Thread> before = Thread.getAllStackTraces().keySet();
    private final CompletableFuture<Void> answered = new CompletableFuture<>();
    private final CompletableFuture<Void> released = new CompletableFuture<>();
    private MemoryCluster cluster;
    private Bigtable bigtable;
    private AsyncTable async;

    @BeforeEach
    void start() throws Exception {
        cluster = new MemoryCluster();
        cluster.table(4, TableTest.WEBTABLE, List.of(), 3);
        bigtable = Bigtable.over(cluster, cluster.locks, cluster.scheduler);
        async = bigtable.asyncTable("webtable");
        long unused = async.apply(WRITE).join();
        MemoryService server = cluster.server(3);
        cluster.listen(
                MemoryCluster.address(3),
                (caller, request) -> request.kind() == Request.Kind.MUTATE
                        ? answered.thenCompose(nothing -> server.handle(caller, request))
                        : new CompletableFuture<>());
    }

    @AfterEach
    void stop() {
        released.complete(null);
        bigtable.close();
        cluster.close();
    }

    /** On which thread what hangs on a future runs. */
    enum Kept {
        /** Of a batch. */
        LANE,
        /** Of a call that a thread waits for. */
        WAITER,
        /** Of a call that no thread waits for. */
        TELLER
    }

    @ParameterizedTest
    @EnumSource
    void aClientHasClosedWhenItsLastThreadHasEnded(Kept kept) throws Exception {
        CompletableFuture<Void> reached = new CompletableFuture<>();
        CompletableFuture<?> unused = begin(kept).whenComplete((value, failure) -> {
            reached.complete(null);
            // No interruption ends that.
            released.join();
        });
        if (kept == Kept.TELLER) {
            answered.complete(null);
            reached.get(30, TimeUnit.SECONDS);
        }
        CompletableFuture<Void> closed = CompletableFuture.runAsync(bigtable::close);
        reached.get(30, TimeUnit.SECONDS);
        assertThatThrownBy(() -> closed.get(300, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        released.complete(null);
        closed.get(30, TimeUnit.SECONDS);
        assertThat(threads()).isEmpty();
    }

    private CompletableFuture<?> begin(Kept kept) throws Exception {
        return switch (kept) {
            case LANE -> bigtable.table("webtable").batch().add(WRITE);
            case WAITER -> async.cellPage(Scan.of(RowRange.row(Bytes.utf8("r"))), Optional.empty());
            case TELLER -> async.apply(WRITE);
        };
    }

    @Test
    void noThreadIsLeftOfManyThatWaited() throws Exception {
        BatchWriter batch = bigtable.table("webtable").batch();
        List<CompletableFuture<?>> calls = new ArrayList<>(List.of(batch.add(WRITE), batch.add(OTHER)));
        for (int i = 0; i < 2 * Waiters.AT_ONCE; i++) {
            calls.add(begin(Kept.WAITER));
            calls.add(begin(Kept.TELLER));
        }
        assertThat(threads().size()).isGreaterThan(Waiters.AT_ONCE);
        bigtable.close();
        assertThat(threads()).isEmpty();
        assertThat(calls).allMatch(CompletableFuture::isCompletedExceptionally);
    }

    /** Of the client, but for those of the scheduler, which the test gave it. */
    private List<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !before.contains(thread))
                .filter(thread -> thread.getName().startsWith("bt-async-")
                        || thread.getName().startsWith("bt-batch-"))
                .toList();
    }
}
