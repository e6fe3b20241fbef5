package bt.thrift.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Clock;
import bt.base.UnavailableException;
import bt.client.Bigtable;
import bt.client.CellPosition;
import bt.model.GcRule;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.protocol.Request;
import bt.testing.ManualClock;
import bt.testing.MemoryCluster;
import bt.testing.MemoryCluster.Fate;
import bt.testing.SimScheduler;
import bt.thrift.convert.CellToken;
import bt.thrift.convert.PageRequest;
import bt.thrift.gen.Filter;
import bt.thrift.gen.Page;
import bt.thrift.gen.Scan;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pages of a table of three tablets with a row each, whose servers answer late or not at all. */
class CellPageReaderTest {
    private static final long TABLE = 4;

    private final SimScheduler time = new SimScheduler(1);
    private MemoryCluster cluster;

    /** Something that is done with the table. */
    @FunctionalInterface
    private interface Story {
        void run(bt.client.Table table) throws BigtableException;
    }

    @BeforeEach
    void start() throws Exception {
        cluster = new MemoryCluster();
        TableSchema draft = TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build();
        cluster.table(TABLE, draft, List.of(Bytes.utf8("h"), Bytes.utf8("p")), 3);
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private void tell(Story story) {
        time.run(Duration.ofHours(1), () -> {
            try (Bigtable client = Bigtable.over(cluster, cluster.locks, time, time.random("client"))) {
                bt.client.Table table = client.table("t");
                for (String row : List.of("a", "k", "z")) {
                    table.apply(RowMutation.of(row).set("f", "q", "v").build());
                }
                story.run(table);
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    private static Page read(bt.client.Table table, Clock clock, Scan scan, Optional<CellPosition> from)
            throws BigtableException {
        AnswerRoom room = AnswerRoom.of(MemoryGateway.IMPATIENT);
        return new CellPageReader(room, clock).read(table, PageRequest.of(scan), from);
    }

    @Test
    void whereNothingPassesAPageEndsAfterSomeSecondsAndTheNextGoesOn() {
        tell(table -> {
            ManualClock clock = new ManualClock(0);
            cluster.fates((to, request) -> {
                if (isScan(request)) {
                    clock.set(clock.micros() + 3_000_000);
                }
                return Fate.DELIVERED;
            });
            Scan scan = new Scan().setFilter(new Filter().setText("value~'nosuch'"));

            Page first = read(table, clock, scan, Optional.empty());
            Page second = read(table, clock, scan, CellToken.of(first.bufferForResumeToken()));

            assertThat(first.getRows()).isEmpty();
            assertThat(first.isSetResumeToken()).isTrue();
            assertThat(second.getRows()).isEmpty();
            assertThat(second.isSetResumeToken()).isFalse();
            assertThat(clock.micros()).isEqualTo(9_000_000);
        });
    }

    @Test
    void whatWasReadIsGivenThoughTheNextTabletIsNotServed() {
        tell(table -> {
            AtomicInteger scans = new AtomicInteger();
            cluster.fates((to, request) ->
                    isScan(request) && scans.incrementAndGet() > 1 ? Fate.NO_CONNECTION : Fate.DELIVERED);

            Page first = read(table, time.clock(), new Scan(), Optional.empty());
            Optional<CellPosition> rest = CellToken.of(first.bufferForResumeToken());

            assertThat(first.getRows()).hasSize(1);
            assertThatThrownBy(() -> read(table, time.clock(), new Scan(), rest))
                    .isInstanceOf(UnavailableException.class);
            cluster.fates((to, request) -> Fate.DELIVERED);
            Page second = read(table, time.clock(), new Scan(), rest);
            assertThat(second.getRows()).hasSize(2);
            assertThat(second.isSetResumeToken()).isFalse();
        });
    }

    private static boolean isScan(Request request) {
        return request instanceof Request.Scan scan && scan.tableId() == TABLE;
    }
}
