package bt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.model.TabletId;
import bt.protocol.Address;
import bt.record.Phase;
import bt.record.TableRecord;
import bt.record.TableWork;
import bt.record.TabletReport;
import bt.record.WorkLine;
import bt.record.WorkOnTable;
import bt.record.WorkRefusal;
import bt.testing.ManualClock;
import bt.testing.MemoryCluster;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a master says of splits that do not come about. */
class TableSplitsTest {
    private static final long TABLE = 5;
    private static final Bytes ROW = Bytes.utf8("m");
    private static final Set<TabletId> TABLETS = Set.of(new TabletId(TABLE, Optional.empty()));
    private static final Member SERVER = new Member("s", new Address("server", 1), 7, "");
    private static final long MINUTE_MICROS = 60_000_000;

    private final TableRecord table = Sights.table(TABLE);
    private final ManualClock clock = new ManualClock(0);
    private final TabletRoom room = new TabletRoom(new TabletImage(), () -> 0, 2_000, 1);
    private MemoryCluster cluster;
    private TableSplits splits;

    @BeforeEach
    void create() throws Exception {
        cluster = new MemoryCluster();
        splits = TableSplits.load(
                new WishFiles(cluster.locks, "splits", new WishRoom()),
                new TabletOrders(cluster, 1_000, 1),
                clock,
                () -> {},
                room);
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private void serverAnswers(BigtableException refusal) {
        cluster.listen(SERVER.address(), (caller, request) -> CompletableFuture.failedFuture(refusal));
    }

    private WorkLine ask(Bytes row) throws BigtableException {
        return splits.begin(
                new WorkOnTable(TABLE, TableWork.SPLIT, AvroBytes.buffer(row), null, false, null), table, seen());
    }

    /** One server, which serves the table's only tablet. */
    private static Sight sight() {
        TabletReport report =
                new TabletReport(TABLE, null, Phase.SERVING, 0L, 0L, 0, null, false, 0L, -1L, -1L, null, null, 0L);
        return Sights.of(Map.of(SERVER, List.of(report)));
    }

    private static WorkSight seen() {
        return new WorkSight(Map.of(TABLE, TABLETS), sight(), tablet -> Optional.empty());
    }

    /** Asks the server, and hears what it says. */
    private boolean lookTwice() throws BigtableException {
        assertThat(splits.look(TABLE, TABLETS, sight())).isFalse();
        return splits.look(TABLE, TABLETS, sight());
    }

    private WorkLine line() {
        return splits.lines(seen()).get(0);
    }

    @Test
    void aRefusalIsToldWithItsRowForAMinuteAfterTheEnd() throws BigtableException {
        serverAnswers(new RejectedException("no such row", "ask for another"));
        assertThat(ask(ROW).getRefusals()).isEmpty();
        assertThat(lookTwice()).isTrue();
        splits.done(TABLE);
        assertThat(line().getTabletsLeft()).isZero();
        assertThat(line().getRefusals())
                .containsExactly(new WorkRefusal(AvroBytes.buffer(ROW), false, "no such row: ask for another"));
        assertThat(splits.tables()).isEmpty();

        // Another row is none of its business.
        assertThat(ask(Bytes.utf8("n")).getRefusals()).hasSize(1);
        assertThat(splits.lines(seen())).hasSize(1);
        assertThat(ask(ROW).getRefusals()).isEmpty();

        splits.forget(TABLE);
        assertThat(splits.lines(seen())).isEmpty();
    }

    @Test
    void aTabletForWhichTheMasterHasNoRoomIsNotSplitOff() throws BigtableException {
        Bytes longer = Bytes.utf8("r".repeat(300));
        assertThatThrownBy(() -> ask(longer))
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining(
                        "table t: 1 more tablets take 2300 bytes of the master's memory; 0 tablets with names of 0 bytes,"
                                + " and descriptions of 0, take 0 of 2000 bytes")
                .hasMessageContaining("master.tablets.bytes");
        assertThat(splits.tables()).isEmpty();
        assertThat(ask(Bytes.utf8("r".repeat(240))).getTabletsLeft()).isEqualTo(1);
    }

    @Test
    void aRefusalIsForgottenInTime() throws BigtableException {
        serverAnswers(new CorruptionException("damaged"));
        assertThat(ask(Bytes.EMPTY).getRefusals()).isEmpty();
        assertThat(lookTwice()).isTrue();
        splits.done(TABLE);
        assertThat(line().getRefusals())
                .containsExactly(new WorkRefusal(AvroBytes.buffer(Bytes.EMPTY), true, "damaged"));
        clock.set(MINUTE_MICROS - 1);
        assertThat(splits.lines(seen())).hasSize(1);
        clock.set(MINUTE_MICROS + 1);
        assertThat(splits.lines(seen())).isEmpty();
    }

    @Test
    void whatIsTriedAgainIsAHindrance() throws BigtableException {
        serverAnswers(new UnavailableException("too busy"));
        assertThat(ask(ROW).getFailure()).isNull();
        assertThat(lookTwice()).isFalse();
        assertThat(line().getFailure()).isEqualTo("too busy");
        assertThat(line().getTabletsLeft()).isEqualTo(1);
        assertThat(line().getRefusals()).isEmpty();
    }
}
