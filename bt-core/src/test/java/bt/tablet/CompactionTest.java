package bt.tablet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.model.Cell;
import bt.model.Change;
import bt.model.ColumnKey;
import bt.model.FamilySchema;
import bt.model.Filter;
import bt.model.GcRule;
import bt.model.RowMutation;
import bt.model.RowRange;
import bt.model.TableSchema;
import bt.record.FileReference;
import bt.record.TabletState;
import bt.tablet.CompactionPlan.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CompactionTest {
    private static final ColumnKey COLUMN = ColumnKey.of("all", "q");

    private final TabletFixture fixture;

    CompactionTest() throws BigtableException {
        fixture = new TabletFixture(RandomTable.schema(4));
    }

    @Test
    void aMajorCompactionLeavesNothingOfWhatWasDeletedAndNoDeletion() throws Exception {
        put("a", 1, "x");
        put("b", 1, "y");
        fixture.flush();
        fixture.apply(RowMutation.of("a").deleteRow().build());
        fixture.flush();
        fixture.compactAll();

        assertThat(entries()).isEqualTo(1);
        fixture.apply(RowMutation.of("b").deleteFamily("all").build());
        fixture.flush();
        fixture.compactAll();
        assertThat(fixture.tablet.files()).isEmpty();
        assertThat(fixture.state.getFiles()).isEmpty();
    }

    @Test
    void aMergingCompactionKeepsTheDeletionsOfWhatMayBeInOlderFiles() throws Exception {
        put("a", 1, "old");
        fixture.flush();
        put("a", 1, "new");
        fixture.flush();
        fixture.apply(RowMutation.of("a").deleteColumn(COLUMN).build());
        fixture.flush();
        List<FileReference> newer = fixture.tablet.files().subList(1, 3);
        install(new CompactionPlan(newer, false, Reason.ASKED));

        assertThat(fixture.tablet.files()).hasSize(2);
        assertThat(entries()).as("the old put, the deletion").isEqualTo(2);
        assertThat(values()).isEmpty();
    }

    @Test
    void aFlushThatWouldBeMergedAtOnceIsWrittenInOneWithTheFiles() throws Exception {
        for (int i = 0; i < 3; i++) {
            put("a", i, "x");
            fixture.flush();
        }
        isFilledNoMore(fixture);
        int existing = filesOnDisk();
        put("a", 3, "x");
        fixture.freeze();
        fixture.compactWithFiles();

        assertThat(fixture.tablet.files()).hasSize(1);
        assertThat(fixture.state.getFiles()).isEqualTo(fixture.tablet.files());
        assertThat(fixture.state.getRedoPoint()).isEqualTo(4);
        assertThat(filesOnDisk()).as("no file to be merged at once").isEqualTo(existing + 1);
        assertThat(values()).containsExactly("x", "x", "x", "x");
    }

    @Test
    void aMemtableIsNotKeptInMemoryForLargeFiles() throws Exception {
        TabletConfig small = new TabletConfig(1000, 1 << 20, 10, TabletConfig.DEFAULT.scriptBudget());
        TabletFixture tight = new TabletFixture(RandomTable.schema(4), small, List.of());
        for (int i = 0; i < 4; i++) {
            byte[] value = new byte[2500];
            new Random(i).nextBytes(value);
            tight.apply(RowMutation.of("a").set(COLUMN, i, Bytes.wrap(value)).build());
            tight.freeze();
            tight.compactWithFiles();
        }
        isFilledNoMore(tight);
        assertThat(tight.tablet.files()).hasSize(4);
        assertThat(tight.tablet.compactions().plan())
                .map(CompactionPlan::reason)
                .contains(Reason.SIZES);
    }

    /** Its files are no longer those of a load. */
    private static void isFilledNoMore(TabletFixture fixture) {
        fixture.clock.set(fixture.clock.micros() + CompactionPicker.FILLING_MICROS);
    }

    private int filesOnDisk() throws BigtableException {
        return fixture.files.list("data/4/1").size();
    }

    @Test
    void versionsBeyondTheRuleGo() throws Exception {
        for (int i = 1; i <= 9; i++) {
            fixture.apply(RowMutation.of("a")
                    .set(ColumnKey.of("one", "q"), i, Bytes.utf8("v" + i))
                    .build());
            fixture.flush();
        }
        fixture.compactAll();

        assertThat(entries()).isEqualTo(1);
        assertThat(values()).containsExactly("v9");
    }

    @Test
    void whatIsNewerThanTheHorizonStaysAsItIs() throws Exception {
        put("a", 1, "x");
        fixture.apply(RowMutation.of("a").deleteRow().build());
        fixture.flush();
        CompactionPlan plan = defaultGroup();
        Compacted compacted = fixture.tablet.compactions().write(plan, 1, RandomTable.EPOCH, bytes -> {});

        assertThat(compacted.oldestReadable()).as("nothing was dropped").isZero();
        fixture.tablet.install(fixture.tablet.prepare(compacted));
        assertThat(entries()).as("the put and the deletion").isEqualTo(2);
    }

    @Test
    void forFiveMinutesAfterALoadNothingNewerThanWhatItFoundIsDropped() throws Exception {
        put("a", 1, "x");
        fixture.flush();
        fixture.reopen();
        fixture.apply(RowMutation.of("a").deleteColumn(COLUMN).build());
        fixture.flush();

        assertThat(written().oldestReadable()).isZero();
        fixture.clock.set(RandomTable.EPOCH + 300_000_000L);
        assertThat(written().oldestReadable()).isEqualTo(2);
        assertThat(written().written()).isEmpty();
    }

    /** The first compaction made a ghost of a put, because of a deletion that the second may not judge with an older horizon. */
    @Test
    void aClockThatIsSetBackBringsNothingBack() throws Exception {
        TableSchema schema =
                TableSchema.draft("t").family("all", new GcRule.MaxVersions(2)).build();
        TabletFixture two = new TabletFixture(schema);
        write(two, 80, "oldest");
        two.flush();
        write(two, 140, "x");
        write(two, 140, "y");
        two.apply(RowMutation.of("a").add(new Change.DeleteVersion(COLUMN, 110)).build());
        write(two, 80, "fell out");
        two.flush();
        two.reopen();
        write(two, 110, "kept");
        two.apply(RowMutation.of("a").add(new Change.DeleteVersion(COLUMN, 140)).build());
        two.flush();
        two.clock.set(RandomTable.EPOCH + 300_000_000L);
        two.compactRuns(1, 3);
        two.clock.set(RandomTable.EPOCH + 299_000_000L);
        two.compactRuns(0, 2);
        assertThat(two.tablet.read(ReadSpec.of(RowRange.ALL, Filter.ALL)).cells())
                .extracting(cell -> cell.value().toUtf8())
                .containsExactly("kept");
    }

    @Test
    void aPlanThatFailedRestsLongerEachTimeAndOthersGoOn() throws Exception {
        for (int i = 0; i < 4; i++) {
            put("a", i, "x");
            fixture.apply(RowMutation.of("a").set("both", "q", "y").build());
            fixture.flush();
        }
        isFilledNoMore(fixture);
        Compactions compactions = fixture.tablet.compactions();
        CompactionPlan failing = compactions.plan().orElseThrow();
        compactions.fail(failing);
        CompactionPlan other = compactions.plan().orElseThrow();
        assertThat(other.inputs()).doesNotContainAnyElementsOf(failing.inputs());
        install(other);
        assertThat(compactions.plan()).isEmpty();
        fixture.clock.set(fixture.clock.micros() + 10_000_000);
        assertThat(compactions.plan()).contains(failing);
        compactions.fail(failing);
        fixture.clock.set(fixture.clock.micros() + 10_000_000);
        assertThat(compactions.plan()).isEmpty();
        fixture.clock.set(fixture.clock.micros() + 10_000_000);
        assertThat(compactions.plan()).contains(failing);
    }

    @Test
    void manyRunsOfOneGroupAreTooManyHoweverManyGroupsThereAre() throws Exception {
        for (int i = 0; i <= 2 * CompactionPicker.MAX_RUNS; i++) {
            assertThat(fixture.tablet.compactions().areBehind()).isFalse();
            put("a", i, "x");
            fixture.flush();
        }
        assertThat(fixture.tablet.compactions().areBehind()).isTrue();
        fixture.compactAll();
        assertThat(fixture.tablet.compactions().areBehind()).isFalse();
    }

    private static void write(TabletFixture to, long timestamp, String value) throws BigtableException {
        to.apply(RowMutation.of("a").set(COLUMN, timestamp, Bytes.utf8(value)).build());
    }

    private Compacted written() throws Exception {
        return fixture.tablet.compactions().write(defaultGroup(), bytes -> {});
    }

    @Test
    void aRowThatWasBegunBeforeWhatACompactionDroppedIsBegunAgain() throws Exception {
        fixture.apply(RowMutation.of("a")
                .set(ColumnKey.of("all", "p"), 1, Bytes.utf8("p"))
                .set(COLUMN, 1, Bytes.utf8("old"))
                .build());
        Page first = fixture.tablet.read(
                new ReadSpec(RowRange.row(Bytes.utf8("a")), Filter.ALL, new PageLimits(1, 1000, 1), Optional.empty()));
        put("a", 1, "new");
        fixture.flush();
        ReadSpec rest = new ReadSpec(RowRange.row(Bytes.utf8("a")), Filter.ALL, PageLimits.DEFAULT, first.resume());
        assertThat(fixture.tablet.read(rest).cells())
                .extracting(cell -> cell.value().toUtf8())
                .containsExactly("old");

        fixture.compactAll();
        assertThatThrownBy(() -> fixture.tablet.read(rest))
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining("read the row again");
        fixture.reopen();
        assertThatThrownBy(() -> fixture.tablet.read(rest)).isInstanceOf(RejectedException.class);

        fixture.clock.set(RandomTable.EPOCH + 2 * TabletReads.MAX_RESUME_MICROS);
        Resume begun = first.resume().orElseThrow();
        Resume latest = new Resume(begun.afterKey(), Resume.LATEST, begun.nowMicros());
        ReadSpec anew =
                new ReadSpec(RowRange.row(Bytes.utf8("a")), Filter.ALL, PageLimits.DEFAULT, Optional.of(latest));
        assertThat(fixture.tablet.read(anew).cells())
                .extracting(cell -> cell.value().toUtf8())
                .containsExactly("new");
    }

    @Test
    void aRowThatWasBegunLongAgoIsBegunAgainBecauseOfAges() throws Exception {
        put("a", 1, "x");
        Page page = fixture.tablet.read(
                new ReadSpec(RowRange.row(Bytes.utf8("a")), Filter.ALL, new PageLimits(1, 1000, 1), Optional.empty()));
        assertThat(page.resume()).isPresent();
        fixture.clock.set(RandomTable.EPOCH + TabletReads.MAX_RESUME_MICROS + 1);
        ReadSpec rest = new ReadSpec(RowRange.row(Bytes.utf8("a")), Filter.ALL, PageLimits.DEFAULT, page.resume());
        assertThatThrownBy(() -> fixture.tablet.read(rest)).isInstanceOf(RejectedException.class);
    }

    @Test
    void aRowMayHaveChangedUpToWhereACompactionDroppedSomething() throws Exception {
        put("a", 1, "x");
        fixture.apply(RowMutation.of("a").deleteRow().build());
        fixture.flush();
        fixture.compactAll();

        assertThat(fixture.tablet.mayHaveChangedSince(1, Bytes.utf8("a"))).isTrue();
        assertThat(fixture.tablet.mayHaveChangedSince(2, Bytes.utf8("a"))).isFalse();
    }

    @Test
    void aReadThatBeganOnTheOldFilesEndsInPeace() throws Exception {
        put("a", 1, "x");
        fixture.flush();
        put("b", 1, "y");
        fixture.flush();
        try (Reading reading = Reading.begin(
                        fixture.tablet.view(), Projection.of(Filter.ALL, fixture.schema), TimeSpan.ALL)
                .orElseThrow()) {
            fixture.compactAll();
            VersionFilter versions = reading.upTo(fixture.sequence()).at(0).versions(RowRange.ALL);
            assertThat(versions.first()).isTrue();
            assertThat(versions.cell().value()).isEqualTo(Bytes.utf8("x"));
            assertThat(versions.next()).isTrue();
        }
    }

    @Test
    void aPlanForFilesThatAreGoneIsNotCarriedOut() throws Exception {
        put("a", 1, "x");
        fixture.flush();
        CompactionPlan plan = defaultGroup();
        fixture.compactAll();

        assertThatThrownBy(() -> fixture.tablet.compactions().write(plan, bytes -> {}))
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining("has other files by now");
    }

    @Test
    void aCompactionGoesNoFasterThanItsPace() throws Exception {
        for (int i = 0; i < 40; i++) {
            put("row" + i, 1, "v".repeat(100_000));
        }
        fixture.flush();
        List<Long> spent = new ArrayList<>();
        fixture.tablet.compactions().write(defaultGroup(), spent::add);

        assertThat(spent.stream().mapToLong(Long::longValue).sum()).isBetween(3_700_000L, 4_100_000L);
        assertThat(spent).hasSizeGreaterThan(10);
    }

    @Test
    void aChangedGroupingHoldsForNewFilesAndAMajorCompactionRewritesTheOld() throws Exception {
        put("a", 1, "x");
        fixture.apply(RowMutation.of("a").set("one", "q", "y").build());
        fixture.flush();
        assertThat(families()).containsExactly(List.of(1, 2));

        TableSchema before = fixture.schema;
        List<FamilySchema> families = before.families().stream()
                .map(family ->
                        family.id() == 2 ? new FamilySchema(2, family.name(), "large", family.garbage()) : family)
                .toList();
        fixture.schema = new TableSchema(
                before.id(), before.name(), 2, before.nextFamilyId(), before.durability(), families, before.groups());
        fixture.tablet.adopt(fixture.schema);
        fixture.tablet.adopt(before);
        put("b", 1, "z");
        fixture.apply(RowMutation.of("b").set("one", "q", "y").build());
        fixture.flush();
        assertThat(families()).containsExactlyInAnyOrder(List.of(1, 2), List.of(1), List.of(2, 7));
        assertThat(values()).containsExactly("y", "x", "y", "z");

        CompactionPlan plan = fixture.tablet.compactions().plan().orElseThrow();
        assertThat(plan.reason()).isEqualTo(Reason.GROUPS);
        install(plan);
        assertThat(families()).containsExactlyInAnyOrder(List.of(1), List.of(2, 7));
        assertThat(values()).containsExactly("y", "x", "y", "z");
        assertThat(fixture.tablet.compactions().plan()).isEmpty();
    }

    private List<List<Integer>> families() {
        return fixture.tablet.files().stream().map(FileReference::getFamilies).toList();
    }

    @Test
    void namingTheNewFilesTwiceIsNamingThemOnce() throws Exception {
        put("a", 1, "x");
        fixture.flush();
        put("b", 1, "y");
        fixture.flush();
        Compacted compacted = written();
        TabletState once = compacted.in(fixture.state);

        assertThat(once.getFiles()).isEqualTo(compacted.written());
        assertThat(compacted.in(once)).isEqualTo(once);
    }

    private CompactionPlan defaultGroup() {
        return fixture.tablet.compactions().planMajor().stream()
                .filter(plan -> plan.inputs().get(0).getFamilies().contains(2))
                .findFirst()
                .orElseThrow();
    }

    private void install(CompactionPlan plan) throws Exception {
        Compacted compacted = fixture.tablet.compactions().write(plan, fixture.sequence(), 0, bytes -> {});
        fixture.tablet.install(fixture.tablet.prepare(compacted));
    }

    private long entries() {
        return fixture.tablet.compactions().situation().files().stream()
                .mapToLong(FileFacts::entries)
                .sum();
    }

    private void put(String row, long timestamp, String value) throws BigtableException {
        fixture.apply(
                RowMutation.of(row).set(COLUMN, timestamp, Bytes.utf8(value)).build());
    }

    private List<String> values() throws BigtableException {
        return fixture.tablet.read(ReadSpec.of(RowRange.ALL, Filter.ALL)).cells().stream()
                .map(Cell::value)
                .map(Bytes::toUtf8)
                .toList();
    }
}
