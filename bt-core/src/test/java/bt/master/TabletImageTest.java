package bt.master;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.AvroBytes;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.metadata.MetadataKeys;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataTable.DamagedRow;
import bt.metadata.TabletStates;
import bt.model.RowRange;
import bt.model.RowSet;
import bt.model.TabletId;
import bt.protocol.Address;
import bt.record.Phase;
import bt.record.TabletLocation;
import bt.record.TabletReport;
import bt.record.TabletState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TabletImageTest {
    private static final Member ONE = new Member("one", new Address("host", 1), 7, "");
    private static final Member TWO = new Member("two", new Address("host", 2), 8, "");

    /** The tablets of table 4 are a, c, e, g and the last one; of these one has the first three. */
    private static final List<String> ENDS = List.of("a", "c", "e", "g", "");

    private final TabletImage image = new TabletImage();
    private final Map<TabletId, MetadataRow> rows = new LinkedHashMap<>();
    private final Map<Member, List<TabletReport>> reports = new LinkedHashMap<>();

    @BeforeEach
    void readAll() {
        Optional<Bytes> previous = Optional.empty();
        for (String end : ENDS) {
            Member holder = end.isEmpty() || end.equals("g") ? TWO : ONE;
            put(id(end), previous, holder, List.of());
            previous = id(end).endRow();
        }
        assertThat(isWanted(id("a"))).as("anything").isTrue();
        pass(RowSet.of(TabletImage.KEYS), Set.of());
        assertThat(image.isWhole()).isTrue();
        assertThat(image.wanted()).isEmpty();
    }

    @Test
    void whoIsNotThereHadWhatTheRowsSay() {
        reports.remove(ONE);
        assertThat(image.dead(sight())).containsExactly(ONE.epoch());
        assertThat(image.heldBy(ONE.epoch())).extracting(KnownTablet::id).containsOnly(id("a"), id("c"), id("e"));
        assertThat(image.server(ONE.epoch())).isEqualTo("one");
    }

    @Test
    void withATabletAreReadTheRowsOfThoseThatWereSplitFromIt() {
        RowRange keys = image.keysAround(id("c"));
        assertThat(keys.contains(MetadataKeys.of(id("b")))).isTrue();
        assertThat(keys.contains(MetadataKeys.of(id("c")))).isTrue();
        assertThat(keys.contains(MetadataKeys.of(id("a")))).isFalse();
        assertThat(keys.contains(MetadataKeys.of(id("d")))).isFalse();
        assertThat(image.keysAround(id("")).contains(MetadataKeys.of(new TabletId(5, Optional.of(Bytes.utf8("a"))))))
                .as("of the next table")
                .isFalse();
    }

    /** Who looks up row b looks from its key on, and finds the tablet that ends with c. */
    @Test
    void aKeyThatIsNoTabletsLiesAmongThoseThatOnesRowsAreLookedUpWith() {
        assertThat(image.across(MetadataKeys.of(id("b")))).contains(id("c"));
        assertThat(image.across(MetadataKeys.of(id("h")))).contains(id(""));
        assertThat(image.across(MetadataKeys.lookUp(4, Bytes.EMPTY)))
                .as("the first row")
                .contains(id("a"));
        assertThat(image.across(MetadataKeys.of(id("c")))).as("a tablet's own").isEmpty();
        assertThat(image.across(MetadataKeys.of(id(""))))
                .as("the last one's own")
                .isEmpty();
        RowRange table = MetadataKeys.tables(4, 4);
        assertThat(image.across(table.start())).as("before all rows").isEmpty();
        assertThat(image.across(table.end().orElseThrow()))
                .as("behind the table")
                .isEmpty();
    }

    @Test
    void theBytesOfNamesAreThoseOfTheTabletsThatAreKnown() {
        assertThat(image.nameBytes()).isEqualTo(4);
        pass(RowSet.of(TabletImage.KEYS), Set.of());
        assertThat(image.nameBytes()).as("read once more").isEqualTo(4);
        put(id("long"), id("g").endRow(), TWO, List.of());
        pass(RowSet.of(TabletImage.KEYS), Set.of());
        assertThat(image.nameBytes()).isEqualTo(8);
        rows.remove(id("long"));
        rows.remove(id("c"));
        pass(RowSet.of(TabletImage.KEYS), Set.of());
        assertThat(image.nameBytes()).isEqualTo(3);
        assertThat(image.tablets()).hasSize(4);
    }

    @Test
    void aTabletThatIsNotKnownLiesInTheNext() {
        toldBy(ONE).add(report("b", null));
        image.heard(sight());
        assertThat(isWanted(id("b"))).as("which a split made").isTrue();
        assertThat(isWanted(id("c"))).as("which it was split from").isTrue();
        assertThat(isWanted(id("a"))).as("with which nothing was").isFalse();
    }

    @Test
    void whatAServerSaysThatItCouldNotLoadOrNoLongerHasIsReadAgain() {
        toldBy(ONE).clear();
        toldBy(ONE).add(report("a", "its file is missing"));
        toldBy(ONE).add(report("e", null));
        image.heard(sight());
        assertThat(isWanted(id("a"))).as("failed").isTrue();
        assertThat(isWanted(id("c"))).as("not named").isTrue();
        assertThat(isWanted(id("e"))).as("as before").isFalse();
    }

    @Test
    void aDoubtStaysUntilARowSaysWhatTheServerDoes() {
        toldBy(ONE).removeIf(report -> report.equals(report("c", null)));
        toldBy(TWO).add(report("c", null));
        image.heard(sight());
        pass(RowSet.of(image.keysAround(id("c"))), Set.of());
        assertThat(isWanted(id("c"))).as("the row still names one").isTrue();
        put(id("c"), id("a").endRow(), TWO, List.of());
        pass(RowSet.of(image.keysAround(id("c"))), Set.of());
        assertThat(isWanted(id("c"))).as("it moved").isFalse();
    }

    /** It says no more of it when it answers again: of what has not changed nothing is told. */
    @Test
    void aDoubtStaysWhileTheServerOfTheRowIsSilent() {
        toldBy(ONE).removeIf(report -> report.equals(report("c", null)));
        image.heard(sight());
        Sight silent = sight();
        Map<Member, Poll.Holdings> answered = new LinkedHashMap<>(silent.answered());
        answered.remove(ONE);
        pass(
                RowSet.of(image.keysAround(id("c")), image.keysAround(id("e"))),
                Set.of(),
                new Sight(silent.living(), List.of(), answered, Set.of()));
        assertThat(isWanted(id("c"))).as("which it had no more").isTrue();
        assertThat(isWanted(id("e"))).as("of which it had told").isFalse();
    }

    @Test
    void whatAPassLeftUnsettledOrSomebodyWorksAtIsReadWithTheNext() {
        put(id("e"), id("c").endRow(), ONE, List.of(3L));
        pass(RowSet.of(image.keysAround(id("c")), image.keysAround(id("e"))), Set.of(id("c")));
        assertThat(isWanted(id("c"))).as("unsettled").isTrue();
        assertThat(isWanted(id("e"))).as("recovered from a log").isTrue();
        assertThat(isWanted(id("g"))).as("neither").isFalse();
    }

    @Test
    void whatCouldNotBeReadIsOwed() {
        RowSet read = RowSet.of(image.keysAround(id("c")));
        UserRows seen = new UserRows(
                List.of(),
                List.of(new DamagedRow(MetadataKeys.of(id("c")), new CorruptionException("damaged"))),
                List.of(new UserRows.Unread(names -> "a part", "is not read")),
                read,
                read,
                RowSet.of(image.keysAround(id("g"))));
        image.read(seen);
        image.passed(seen, Set.of(), sight());
        assertThat(isWanted(id("g"))).as("not read").isTrue();
        assertThat(isWanted(id("c"))).as("damaged").isTrue();
        assertThat(image.find(id("c"))).as("nobody decides on it").isEmpty();
        assertThat(image.find(id("g"))).isPresent();
    }

    @Test
    void theTabletsOfAMergeAreThoseThatHoldItsRows() {
        RowRange keys = image.keysOf(4, RowRange.closed(Bytes.utf8("b"), Bytes.utf8("d")));
        assertThat(keys.contains(MetadataKeys.of(id("a")))).isFalse();
        assertThat(keys.contains(MetadataKeys.of(id("c")))).isTrue();
        assertThat(keys.contains(MetadataKeys.of(id("e")))).isTrue();
        assertThat(keys.contains(MetadataKeys.of(id("g")))).isFalse();
        assertThat(image.keysOf(4, RowRange.ALL).contains(MetadataKeys.of(id(""))))
                .isTrue();
    }

    @Test
    void aStretchEndsBehindSoManyTablets() {
        RowRange first = image.keysFrom(TabletImage.KEYS.start(), 2);
        assertThat(first.contains(MetadataKeys.of(id("c")))).isTrue();
        assertThat(first.contains(MetadataKeys.of(id("d")))).isFalse();
        assertThat(image.keysFrom(first.end().orElseThrow(), 4).end()).isEqualTo(TabletImage.KEYS.end());
    }

    private void put(TabletId id, Optional<Bytes> previous, Member holder, List<Long> logs) {
        TabletLocation location =
                new TabletLocation(Phase.SERVING, holder.id(), holder.address().toString(), holder.epoch());
        TabletState state = TabletState.newBuilder(TabletStates.empty(previous))
                .setLogs(logs)
                .build();
        if (!rows.containsKey(id)) {
            reports.computeIfAbsent(holder, first -> new ArrayList<>())
                    .add(report(id.endRow().map(Bytes::toUtf8).orElse(""), null));
        }
        rows.put(id, new MetadataRow(id, 1, 1, location, state));
    }

    /** A pass that reads these keys. */
    private void pass(RowSet keys, Set<TabletId> unsettled) {
        pass(keys, unsettled, sight());
    }

    private void pass(RowSet keys, Set<TabletId> unsettled, Sight sight) {
        List<MetadataRow> found = rows.values().stream()
                .filter(row -> keys.contains(MetadataKeys.of(row.id())))
                .toList();
        UserRows seen = new UserRows(found, List.of(), List.of(), RowSet.of(TabletImage.KEYS), keys, RowSet.NONE);
        image.read(seen);
        image.passed(seen, unsettled, sight);
    }

    private boolean isWanted(TabletId id) {
        return new RowSet(image.wanted()).contains(MetadataKeys.of(id));
    }

    private Sight sight() {
        return Sights.of(reports);
    }

    private static TabletId id(String end) {
        return new TabletId(4, end.isEmpty() ? Optional.empty() : Optional.of(Bytes.utf8(end)));
    }

    private static TabletReport report(String end, @Nullable String failure) {
        return TabletReport.newBuilder()
                .setTableId(4)
                .setEndRow(AvroBytes.buffer(id(end).endRow()))
                .setPhase(failure == null ? Phase.SERVING : Phase.LOADING)
                .setMemtableBytes(0)
                .setFileBytes(0)
                .setFiles(0)
                .setFailure(failure)
                .build();
    }

    private List<TabletReport> toldBy(Member member) {
        return Objects.requireNonNull(reports.get(member));
    }
}
