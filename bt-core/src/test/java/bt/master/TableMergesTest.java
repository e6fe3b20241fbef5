package bt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.OverloadedException;
import bt.metadata.MetadataRow;
import bt.model.TabletId;
import bt.protocol.Address;
import bt.record.MergeFile;
import bt.record.Phase;
import bt.record.RowSpan;
import bt.record.TableRecord;
import bt.record.TableWork;
import bt.record.WorkLine;
import bt.record.WorkOnTable;
import bt.testing.ManualClock;
import bt.testing.MemoryCluster;
import bt.testing.SimScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Merges of a table of many tablets that are asked for without waiting. */
class TableMergesTest {
    private static final long TABLE = 5;
    private static final int TABLETS = 10_000;
    private static final Member SERVER = new Member("s", new Address("server", 1), 7, "");
    private static final Set<TabletId> NAMES = Stream.concat(
                    IntStream.range(1, TABLETS).mapToObj(i -> Optional.of(row(i))), Stream.of(Optional.<Bytes>empty()))
            .map(end -> new TabletId(TABLE, end))
            .collect(Collectors.toSet());
    private static final Sight ALL_SERVED = served(NAMES);

    private final TableRecord table = Sights.table(TABLE);
    private final MemoryCluster cluster = new MemoryCluster();
    private final WishFiles files = new WishFiles(cluster.locks, "merges", new WishRoom());
    private final Merges merges = new Merges(
            cluster.metadata,
            new Hindrances(),
            new SimScheduler(1),
            MasterConfig.DEFAULT,
            new TabletOrders(cluster, 1_000, 1),
            () -> {});

    TableMergesTest() throws Exception {}

    @AfterEach
    void stop() {
        cluster.close();
    }

    private static Sight served(Set<TabletId> tablets) {
        return Sights.of(Map.of(
                SERVER,
                tablets.stream()
                        .map(tablet -> Sights.report(tablet, Phase.SERVING))
                        .toList()));
    }

    private static WorkSight seen() {
        return new WorkSight(Map.of(TABLE, NAMES), ALL_SERVED, tablet -> Optional.empty());
    }

    private TableMerges load() throws BigtableException {
        return TableMerges.load(files, merges, new ManualClock(0), () -> {});
    }

    private WorkLine ask(TableMerges asked, int from, int to) throws BigtableException {
        WorkOnTable message = new WorkOnTable(
                TABLE, TableWork.MERGE, AvroBytes.buffer(row(from)), AvroBytes.buffer(row(to)), false, null);
        return asked.begin(message, table, seen());
    }

    /** One of many tablets is as much work as that of all of them. */
    @Test
    void thoseThatHaveARowInCommonAreOne() throws BigtableException {
        TableMerges asked = load();
        assertThat(ask(asked, 10, 20).getTabletsLeft()).isEqualTo(10);
        assertThat(ask(asked, 50, 60).getTabletsLeft()).isEqualTo(20);
        assertThat(ask(asked, 15, 30).getTabletsLeft()).isEqualTo(30);
        assertThat(ask(asked, 12, 13).getTabletsLeft()).isEqualTo(30);
        assertThat(spans()).containsExactly(span(10, 30), span(50, 60));
        assertThat(ask(asked, 30, 50).getTabletsLeft()).isEqualTo(50);
        assertThat(spans()).containsExactly(span(10, 60));
    }

    /** With one step for each tablet, and not for each tablet and merge. */
    @Test
    void thousandsAreBegunSomeAtATimeAndToldAtOnce() throws Exception {
        List<RowSpan> pairs = new ArrayList<>();
        for (int i = 1; i + 1 < TABLETS; i += 2) {
            pairs.add(span(i, i + 1));
        }
        assertThat(files.write(TABLE, new MergeFile(TABLE, "t", pairs))).isNotNull();
        TableMerges asked = load();
        assertTimeoutPreemptively(Duration.ofSeconds(10), () -> {
            assertThat(asked.look(TABLE, NAMES, ALL_SERVED)).isFalse();
            assertThat(asked.lines(seen())).singleElement().satisfies(line -> assertThat(line.getTabletsLeft())
                    .isEqualTo(pairs.size()));
        });
        assertThat(merges.wishes()).hasSize(Merges.MOST_ASKED / 2);
    }

    /** A master keeps in memory what is asked of all tables, and there may be any number of those. */
    @Test
    void whatIsAskedOfAllTablesTogetherHasABound() throws Exception {
        List<RowSpan> spans = new ArrayList<>();
        for (int i = 1; i <= 4; i++) {
            spans.add(new RowSpan(AvroBytes.buffer(longRow(i, 1)), AvroBytes.buffer(longRow(i, 2))));
        }
        int tables = (int) (WishRoom.MOST_BYTES / 480_000);
        for (long id = TABLE + 1; id <= TABLE + tables; id++) {
            assertThat(files.write(id, new MergeFile(id, "t" + id, spans))).isNotNull();
        }
        TableMerges asked = load();
        assertThat(ask(asked, 10, 20).getTabletsLeft()).isEqualTo(10);
        // What there is already is too much for another of those, and another master finds it so.
        assertThat(files.write(TABLE + 100, new MergeFile(TABLE + 100, "more", spans)))
                .isNotNull();
        WishFiles ofNext = new WishFiles(cluster.locks, "merges", new WishRoom());
        for (TableMerges each : List.of(asked, TableMerges.load(ofNext, merges, new ManualClock(0), () -> {}))) {
            assertThatThrownBy(() -> ask(each, 30, 40))
                    .isInstanceOf(OverloadedException.class)
                    .hasMessageStartingWith("table t: what is asked of tables and under way has 1");
            assertThat(ask(each, 10, 20).getTabletsLeft())
                    .as("what is under way")
                    .isEqualTo(10);
        }
        asked.forget(TABLE + 1);
        assertThat(ask(asked, 30, 40).getTabletsLeft()).isEqualTo(20);
    }

    private static Bytes longRow(int first, int second) {
        byte[] row = new byte[60_000];
        row[0] = (byte) first;
        row[1] = (byte) second;
        return Bytes.wrap(row);
    }

    @Test
    void oneOfWhichATabletIsNotServedWaitsAndNoOther() throws Exception {
        assertThat(files.write(TABLE, new MergeFile(TABLE, "t", List.of(span(1, 3), span(5, 7), span(9, 11)))))
                .isNotNull();
        Set<TabletId> served = NAMES.stream()
                .filter(tablet -> !tablet.endRow().equals(Optional.of(row(7))))
                .collect(Collectors.toSet());
        assertThat(load().look(TABLE, NAMES, served(served))).isFalse();
        assertThat(merges.wishes()).extracting(wish -> wish.rows().start()).containsExactlyInAnyOrder(row(1), row(9));
    }

    /** It is tried again soon after one has room, whether or not that took long. */
    @Test
    void whileEveryServerIsFullTheyWaitAndAreToldWhy() throws Exception {
        assertThat(files.write(TABLE, new MergeFile(TABLE, "t", List.of(span(1, 3), span(5, 7)))))
                .isNotNull();
        ManualClock clock = new ManualClock(0);
        TableMerges asked = TableMerges.load(files, merges, clock, () -> {});
        Sight full = Sights.full(ALL_SERVED);
        for (int i = 1; i <= 100; i++) {
            assertThat(asked.look(TABLE, NAMES, full)).isFalse();
            assertThat(merges.wishes()).isEmpty();
            clock.set(i * 10_000_000L);
        }
        WorkSight seen = new WorkSight(Map.of(TABLE, NAMES), full, tablet -> Optional.empty());
        assertThat(asked.lines(seen)).singleElement().satisfies(line -> assertThat(line.getFailure())
                .isEqualTo("no server has memory for more tablets"));
        assertThat(asked.look(TABLE, NAMES, ALL_SERVED)).isFalse();
        assertThat(merges.wishes()).hasSize(2);
        assertThat(asked.lines(seen()))
                .singleElement()
                .extracting(WorkLine::getFailure)
                .isNull();
    }

    /** Whoever waits for the operation is told, and an operator who looks at what is under way. */
    @Test
    void oneOfTabletsThatAreTooLargeToBeOneEndsAndIsToldForAMinute() throws Exception {
        List<MetadataRow> rows = MergesTest.rows(TABLE, 120, MergesTest.SERVED);
        Set<TabletId> tablets = Stream.concat(
                        rows.stream().map(MetadataRow::id), Stream.of(new TabletId(TABLE, Optional.empty())))
                .collect(Collectors.toSet());
        RowSpan all = new RowSpan(AvroBytes.buffer(MergesTest.row(0)), AvroBytes.buffer(MergesTest.row(119)));
        assertThat(files.write(TABLE, new MergeFile(TABLE, "t", List.of(all)))).isNotNull();
        ManualClock clock = new ManualClock(0);
        TableMerges asked = TableMerges.load(files, merges, clock, () -> {});
        assertThat(asked.look(TABLE, tablets, served(tablets))).isFalse();
        assertThat(merges.wishes()).hasSize(1);
        MergesTest.haveAllSplitAgain(merges, cluster, rows);
        assertThat(merges.wishes()).isEmpty();
        assertThat(asked.look(TABLE, tablets, served(tablets))).isTrue();
        asked.done(TABLE);
        assertThat(spans()).isEmpty();
        assertThat(asked.lines(seen())).singleElement().satisfies(line -> {
            assertThat(line.getTabletsLeft()).isZero();
            assertThat(line.getRefusals()).singleElement().satisfies(refusal -> {
                assertThat(AvroBytes.bytes(refusal.getRow())).isEqualTo(MergesTest.row(0));
                assertThat(refusal.getWhy())
                        .isEqualTo("the 120 tablets that are left are too large to be one, what is made of them splits"
                                + " again: merge some of them");
            });
        });
        clock.set(61_000_000);
        assertThat(asked.lines(seen())).isEmpty();

        assertThat(files.write(TABLE, new MergeFile(TABLE, "t", List.of(all)))).isNotNull();
        TableMerges again = TableMerges.load(files, merges, clock, () -> {});
        assertThat(again.look(TABLE, tablets, served(tablets))).isFalse();
        assertThat(merges.wishes()).as("looked at anew").hasSize(1);
    }

    private List<RowSpan> spans() throws BigtableException {
        List<RowSpan> spans = new ArrayList<>();
        files.read(MergeFile.class, (file, found) -> spans.addAll(file.getSpans()));
        return spans;
    }

    private static RowSpan span(int from, int to) {
        return new RowSpan(AvroBytes.buffer(row(from)), AvroBytes.buffer(row(to)));
    }

    private static Bytes row(int number) {
        return Bytes.utf8("%05d".formatted(number));
    }
}
