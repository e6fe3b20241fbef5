package bt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.coord.Paths;
import bt.metadata.TableFile;
import bt.model.Limits;
import bt.model.RowRange;
import bt.protocol.Address;
import bt.record.Phase;
import bt.record.TablePhase;
import bt.record.TableRecord;
import bt.record.TableWork;
import bt.record.TabletReport;
import bt.record.WorkLine;
import bt.record.WorkOnTable;
import bt.record.WorkReport;
import bt.record.WorkRequest;
import bt.testing.MemoryCluster;
import bt.testing.MemoryLocks;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which compactions a master takes upon itself, and which it gives up. */
class TableCompactionsTest {
    private static final long TABLE = 5;
    private static final Member SERVER = new Member("s", new Address("server", 1), 7, "");
    private static final Sight NOBODY = new Sight(List.of(), List.of(), Map.of(), Set.of());

    private final MemoryLocks locks = new MemoryLocks();
    private final TableRecord table = Sights.table(TABLE);
    private TableWishes wishes;

    private MemoryCluster cluster;

    @AfterEach
    void stop() {
        cluster.close();
    }

    @BeforeEach
    void create() throws Exception {
        cluster = new MemoryCluster();
        locks.create(Paths.table(TABLE), TableFile.encode(table));
        TabletOrders orders = new TabletOrders(cluster, 1_000, 1);
        Merges merges = new Merges(
                cluster.metadata, new Hindrances(), cluster.scheduler, MasterConfig.DEFAULT, orders, () -> {});
        Catalogue catalogue = new Catalogue(locks);
        Moves moves = new Moves(cluster.metadata, cluster.scheduler, orders, row -> false, catalogue, () -> {});
        Drains drains = Drains.load(locks, cluster.metadata, moves, catalogue, 4);
        wishes = TableWishes.load(
                locks,
                catalogue,
                merges,
                new MoveCommands(cluster.metadata, moves, drains),
                orders,
                cluster.scheduler.clock(),
                () -> {},
                new TabletRoom(new TabletImage(), () -> 0, 0, 1 << 30));
    }

    private void ask(RowRange rows) throws BigtableException {
        ask(TableWork.COMPACTION, rows);
    }

    private void ask(TableWork work, RowRange rows) throws BigtableException {
        WorkOnTable message =
                new WorkOnTable(TABLE, work, AvroBytes.buffer(rows.start()), AvroBytes.buffer(rows.end()), false, null);
        assertThat(wishes.hear(message, seen(NOBODY))).isPresent();
    }

    /** One server, which holds the table's only tablet. */
    private static Sight failing(Optional<String> compaction, Optional<String> flush) {
        TabletReport report = new TabletReport(
                TABLE,
                null,
                Phase.SERVING,
                0L,
                0L,
                0,
                null,
                false,
                0L,
                -1L,
                -1L,
                compaction.orElse(null),
                flush.orElse(null),
                0L);
        return Sights.of(Map.of(SERVER, List.of(report)));
    }

    private static WorkSight seen(Sight sight) {
        return new WorkSight(Map.of(), sight, tablet -> Optional.empty());
    }

    private List<WorkLine> lines(Sight sight) throws BigtableException {
        return ((WorkReport) wishes.hear(new WorkRequest(), seen(sight)).orElseThrow()).getLines();
    }

    private void lookAfterAPassThatSawNoTable() throws InterruptedException {
        wishes.look(Optional.of(Set.of()), Optional.empty(), NOBODY);
    }

    @Test
    void aPassThatIsOlderThanTheTableEndsNothing() throws BigtableException, InterruptedException {
        ask(RowRange.ALL);
        lookAfterAPassThatSawNoTable();
        assertThat(wishes.concern(TABLE)).isTrue();

        table.setPhase(TablePhase.DROPPED);
        locks.write(Paths.table(TABLE), TableFile.encode(table), 0);
        lookAfterAPassThatSawNoTable();
        assertThat(wishes.concern(TABLE)).isFalse();
        assertThat(locks.read(Paths.COMPACTIONS + "/" + TABLE)).isEmpty();
    }

    @Test
    void aLineSaysWhyItsWorkFailed() throws BigtableException {
        ask(TableWork.COMPACTION, RowRange.ALL);
        ask(TableWork.FLUSH, RowRange.ALL);
        assertThat(lines(failing(Optional.of("damaged"), Optional.empty())))
                .extracting(WorkLine::getWork, WorkLine::getFailure)
                .containsExactly(tuple(TableWork.COMPACTION, "the last tablet: damaged"), tuple(TableWork.FLUSH, null));
        assertThat(lines(failing(Optional.empty(), Optional.of("too late"))))
                .extracting(WorkLine::getWork, WorkLine::getFailure)
                .containsExactly(
                        tuple(TableWork.COMPACTION, null), tuple(TableWork.FLUSH, "the last tablet: too late"));
    }

    @Test
    void aRangeOfRowsThatNobodyCanHaveIsRejected() throws BigtableException {
        Bytes longest = Bytes.wrap(new byte[Limits.ROW_BYTES]);
        Bytes tooLong = longest.successor().successor();
        for (RowRange rows : List.of(
                RowRange.from(tooLong),
                RowRange.before(tooLong),
                RowRange.of(Bytes.utf8("b"), Bytes.utf8("b")),
                RowRange.of(Bytes.utf8("b"), Bytes.utf8("a")))) {
            assertThatThrownBy(() -> ask(rows))
                    .isInstanceOf(RejectedException.class)
                    .hasMessageStartingWith("table t: ")
                    .hasMessageContaining(": name ");
        }
        assertThat(wishes.toldCompactions()).isEmpty();

        ask(RowRange.row(longest));
        assertThat(wishes.toldCompactions()).hasSize(1);
    }
}
