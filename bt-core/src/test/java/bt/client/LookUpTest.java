package bt.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.model.AccessList;
import bt.model.RowMutation;
import bt.protocol.Request;
import bt.testing.MemoryCluster;
import bt.testing.MemoryCluster.Fate;
import bt.testing.SilentLocks;
import bt.testing.SimScheduler;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is looked up before anything is sent: it is tried again, and nothing is in doubt where it fails. */
class LookUpTest {
    private static final int ALWAYS = Integer.MAX_VALUE;

    private final SimScheduler scheduler = new SimScheduler(1);
    private MemoryCluster cluster;
    private SilentLocks locks;

    @BeforeEach
    void start() throws Exception {
        cluster = new MemoryCluster();
        cluster.table(4, TableTest.WEBTABLE, List.of(), 3);
        locks = new SilentLocks(cluster.locks);
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    /** What somebody does with a client. */
    @FunctionalInterface
    private interface Story {
        void tell(Bigtable client) throws BigtableException, InterruptedException;
    }

    private void run(Story story) {
        scheduler.run(Duration.ofMinutes(30), () -> {
            try (Bigtable client = Bigtable.over(cluster, locks, scheduler, scheduler.random("client"))) {
                story.tell(client);
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    @Test
    void aTableIsOpenedAndLookedAtOnceTheLockServiceAnswersAgain() {
        run(client -> {
            Admin admin = client.admin();
            locks.ignore(3);
            assertThat(client.table("webtable").schema().id()).isEqualTo(4);
            locks.ignore(3);
            assertThat(client.asyncTable("webtable").schema().id()).isEqualTo(4);
            locks.ignore(3);
            assertThat(admin.table("webtable")).isPresent();
            locks.ignore(3);
            assertThat(admin.tables()).hasSize(1);
            locks.ignore(3);
            assertThat(admin.droppedTables()).isEmpty();
            locks.ignore(3);
            assertThat(admin.access()).isEmpty();
            locks.ignore(3);
            assertThat(admin.use("webtable")).isEmpty();
        });
    }

    @Test
    void aTableIsOpenedWithoutWaiting() {
        run(client -> {
            locks.ignore(3);
            CompletableFuture<AsyncTable> opening = client.openAsync("webtable");
            CompletableFuture<AsyncTable> none = client.openAsync("nosuch");
            assertThat(opening).isNotDone();
            assertThat(none).isNotDone();
            AsyncTable table = scheduler.await(opening, 60_000);
            assertThat(scheduler.await(table.apply(put()), 60_000)).isPositive();
            assertThatThrownBy(() -> scheduler.await(none, 60_000))
                    .isInstanceOf(RejectedException.class)
                    .hasMessageStartingWith("table nosuch does not exist");
        });
    }

    @Test
    void whereItNeverAnswersNothingIsInDoubt() {
        run(client -> {
            Table table = client.table("webtable");
            locks.ignore(ALWAYS);
            isNotApplied(() -> table.apply(put()));
            isNotApplied(() -> client.table("webtable"));
            isNotApplied(() -> client.admin().dropTable("webtable"));
            isNotApplied(() -> client.admin().alterTable("webtable", now -> now));
            isNotApplied(() -> client.admin().truncateTable("webtable"));
            isNotApplied(() -> client.admin().startFlush("webtable"));
            isNotApplied(() -> client.admin().alterAccess(now -> AccessList.NOBODY));
        });
    }

    /** Of a read nobody knows whether a server has heard it. */
    @Test
    void aTransactionThatCannotReadHasWrittenNothing() {
        run(client -> {
            Table table = client.table("webtable");
            assertThat(table.apply(put())).isPositive();
            cluster.fates((to, request) -> request.kind() == Request.Kind.SCAN ? Fate.ANSWER_LOST : Fate.DELIVERED);
            isNotApplied(() -> table.transact(Bytes.utf8("r"), tx -> tx.read()));
        });
    }

    private static RowMutation put() {
        return RowMutation.of("r").set("anchor", "q", "value").build();
    }

    private static void isNotApplied(ThrowingCallable change) {
        assertThatThrownBy(change)
                .isInstanceOfSatisfying(UnavailableException.class, failed -> assertThat(failed.outcome())
                        .isEqualTo(Outcome.NOT_APPLIED));
    }
}
