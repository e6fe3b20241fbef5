package bt.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import bt.model.FamilySchema;
import bt.model.GcRule;
import bt.model.LocalityGroup;
import bt.model.TableSchema;
import bt.record.FamilyAges;
import bt.record.FileReference;
import bt.tablet.CompactionPicker.Situation;
import bt.tablet.CompactionPlan.Reason;
import bt.testing.SeededTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CompactionPickerTest {
    private static final long NEVER = Long.MAX_VALUE;
    private static final long WRITTEN = 1;
    private static final long CALM = WRITTEN + CompactionPicker.FILLING_MICROS;

    private static final FamilySchema TWO_APART = new FamilySchema(2, "two", "apart", GcRule.KEEP_ALL);

    private final List<FileFacts> files = new ArrayList<>();
    private long sequence;
    private long now = CALM;
    private boolean isPressed;

    @Test
    void threeEqualFilesAreLeftAndFourAreMerged() {
        sizes(100, 100, 100);
        assertThat(pick()).isEmpty();
        sizes(100);
        assertThat(pick()).contains(plan(0, 4, Reason.SIZES));
    }

    @Test
    void aLargeOldFileIsLeftUntilTheNewerOnesAreAsLarge() {
        sizes(1000, 100, 100, 100, 100);
        assertThat(pick()).contains(plan(1, 5, Reason.SIZES));
        files.clear();
        sizes(400, 100, 100, 100, 100);
        assertThat(pick()).contains(plan(0, 5, Reason.SIZES));
    }

    @Test
    void whileATabletIsBeingFilledItsFilesWaitUntilThereAreAsManyAsMayBe() {
        now = CALM - 1;
        sizes(100, 100, 100, 100, 100, 100, 100);
        assertThat(pick()).isEmpty();
        sizes(100);
        assertThat(pick()).contains(plan(0, 8, Reason.SIZES));
    }

    @Test
    void largeOldFilesCountAmongThoseThatMayBe() {
        now = CALM - 1;
        sizes(5000, 2000, 100, 100, 100, 100, 100);
        assertThat(pick()).isEmpty();
        sizes(100);
        assertThat(pick()).contains(plan(2, 8, Reason.SIZES));
    }

    @Test
    void filesThatWaitedAreMergedWhenNoMoreCome() {
        now = CALM - 1;
        sizes(100, 100, 100, 100, 100);
        assertThat(pick()).isEmpty();
        now = CALM;
        assertThat(pick()).contains(plan(0, 5, Reason.SIZES));
    }

    @Test
    void ofTooManyFilesTheCheapestNeighboursAreMerged() {
        sizes(5120, 2560, 1280, 640, 320, 160, 80, 40, 20);
        assertThat(pick()).contains(plan(7, 9, Reason.FILES));
    }

    @Test
    void manyDeletionsAreAReasonForAMajorCompaction() {
        add(1, 1000, 9000, 0, 1, 2);
        assertThat(pick()).isEmpty();
        add(1, 10, 3000, 2500, 1, 2);
        assertThat(pick()).contains(plan(0, 2, Reason.DELETIONS));
    }

    @Test
    void deletionsThatMayNotGoYetAreNoReason() {
        add(1, 1000, 9000, 0, 1, 2);
        add(1, 10, 3000, 2500, 1, 2);
        assertThat(CompactionPicker.pick(
                        new Situation(files, schema("default", "default"), CALM, 1, false), plan -> true))
                .isEmpty();
    }

    @Test
    void deletionsThatAMajorCompactionLeftAreNoReasonForAnother() {
        add(1, 1000, 9000, 9000, 1, 2);
        assertThat(pick()).isEmpty();
    }

    @Test
    void filesThatShareNoFamilyHaveNothingToDoWithEachOther() {
        for (int i = 0; i < 3; i++) {
            add(1, 100, 10, 0, 1);
            add(0, 100, 10, 0, 2);
        }
        assertThat(CompactionPicker.pick(
                        new Situation(files, schema("default", "apart"), CALM, NEVER, false), plan -> true))
                .isEmpty();
        add(1, 100, 10, 0, 1);
        CompactionPlan picked = CompactionPicker.pick(
                        new Situation(files, schema("default", "apart"), CALM, NEVER, false), plan -> true)
                .orElseThrow();
        assertThat(picked.inputs()).hasSize(4).allMatch(file -> file.getFamilies()
                .equals(List.of(1)));
        assertThat(picked.isMajor()).isTrue();
    }

    @Test
    void filesOfAnEarlierGroupingAreRewrittenTogether() {
        add(1, 100, 10, 0, 1, 2);
        add(1, 100, 10, 0, 1);
        add(0, 100, 10, 0, 2);
        assertThat(CompactionPicker.pick(
                        new Situation(files, schema("default", "apart"), CALM, NEVER, false), plan -> true))
                .contains(plan(0, 3, Reason.GROUPS));
    }

    @Test
    void filesOfDroppedFamiliesGo() {
        add(1, 100, 10, 0, 9);
        assertThat(pick()).contains(plan(0, 1, Reason.DROPPED));
    }

    @Test
    void whereMemoryIsShortTwoFilesAreMerged() {
        sizes(80, 10);
        assertThat(pick()).isEmpty();
        isPressed = true;
        assertThat(pick()).contains(plan(0, 2, Reason.MEMORY));
        carryOut(pick().orElseThrow());
        assertThat(files).hasSize(1);
        assertThat(pick()).isEmpty();
    }

    /** Each flush of a small memtable would write it again. */
    @Test
    void whereMemoryIsShortALargeFileIsNotMergedWithASmallOne() {
        isPressed = true;
        sizes(1000, 10);
        assertThat(pick()).isEmpty();
        sizes(10);
        assertThat(pick()).contains(plan(1, 3, Reason.MEMORY));
    }

    @Test
    void whereMemoryIsShortAsManyAreMergedAsAreOfASize() {
        isPressed = true;
        sizes(5000, 1000, 300, 300);
        assertThat(pick()).contains(plan(2, 4, Reason.MEMORY));
        sizes(600, 600);
        assertThat(pick()).contains(plan(1, 6, Reason.MEMORY));
    }

    @Test
    void whereMemoryIsShortNoFilesOfAnEarlierGroupingAreRewrittenAsMore() {
        add(1, 100, 10, 0, 1, 2);
        assertThat(pick(schema("default", "apart"))).contains(plan(0, 1, Reason.GROUPS));
        isPressed = true;
        assertThat(pick(schema("default", "apart"))).isEmpty();
        add(1, 10, 3000, 2500, 1, 2);
        assertThat(pick(schema("default", "apart"))).as("as many").contains(plan(0, 2, Reason.DELETIONS));
    }

    /** The large file would be written again with each that a flush adds. */
    @Test
    void norAreAsManyRewrittenWithTheirGroupsAsTheyAre() {
        add(1, 1000, 10, 0, 1, 2);
        add(1, 10, 10, 0, 1, 2);
        assertThat(pick(schema("default", "apart"))).contains(plan(0, 2, Reason.GROUPS));
        isPressed = true;
        assertThat(pick(schema("default", "apart"))).isEmpty();
    }

    @Test
    void whereMemoryIsShortFilesOfAnEarlierGroupingAreMergedWithNewOnesOfASize() {
        isPressed = true;
        add(1, 1000, 10, 0, 1, 2, 3, 4);
        add(1, 200, 10, 0, 1);
        assertThat(pick(apart(4))).as("one of two").contains(plan(0, 2, Reason.MEMORY));
        add(1, 200, 10, 0, 1);
        assertThat(pick(apart(4))).contains(plan(1, 3, Reason.MEMORY));
        add(1, 1000, 10, 0, 1, 2);
        assertThat(pick(apart(4))).as("four of four, or one").contains(plan(0, 4, Reason.MEMORY));
    }

    @Test
    void whatIsPromisedToBeOffTheDiskGoesThoughMemoryIsShort() {
        isPressed = true;
        add(1, 100, 10, 1, 1, 2);
        files.set(0, files.get(0).with(List.of(new FamilyAges(1, WRITTEN, 0L, 0L, List.of(), ""))));
        now = WRITTEN + TimeUnit.DAYS.toMicros(1);
        FamilySchema promised = new FamilySchema(1, "one", "default", GcRule.KEEP_ALL).purgedWithin(now - WRITTEN);
        assertThat(pick(schema(new FamilySchema(1, "one", "default", GcRule.KEEP_ALL), TWO_APART)))
                .isEmpty();
        assertThat(pick(schema(promised, TWO_APART))).contains(plan(0, 1, Reason.PURGE));
    }

    /** However large flushes are: never more runs than the bound, and a byte is written a number of times that grows slowly. */
    @SeededTest(runs = 20)
    void runsAreBoundedAndSoIsWriteAmplification(RandomGenerator random) {
        boolean even = random.nextBoolean();
        now = random.nextBoolean() ? CALM : WRITTEN;
        long flushed = 0;
        long written = 0;
        for (int flush = 0; flush < 1000; flush++) {
            long bytes = even ? 64 : 1 + random.nextInt(128);
            sizes(bytes);
            flushed += bytes;
            for (Optional<CompactionPlan> plan = pick(); plan.isPresent(); plan = pick()) {
                written += plan.get().bytes();
                carryOut(plan.get());
            }
            assertThat(files.size()).isLessThanOrEqualTo(CompactionPicker.MAX_RUNS);
        }
        // Flushes of one size are merged by fours. Others: once for each doubling from the smallest of them to all
        // together, at most; of three thousand such runs, none of which was being filled, the middle was 4.7 and the
        // largest 8.9.
        assertThat((double) written / flushed).isLessThan(even ? 5 : 16);
    }

    private void carryOut(CompactionPlan plan) {
        int at = files.indexOf(files.stream()
                .filter(file -> file.reference().equals(plan.inputs().get(0)))
                .findFirst()
                .orElseThrow());
        List<FileFacts> window = files.subList(at, at + plan.inputs().size());
        assertThat(window.stream().map(FileFacts::reference)).containsExactlyElementsOf(plan.inputs());
        long smallest = window.get(0).smallestSequence();
        long largest = window.get(window.size() - 1).largestSequence();
        window.clear();
        files.add(
                at,
                new FileFacts(
                        reference(plan.bytes(), smallest, largest, List.of(1, 2)), 1, 0, WRITTEN, List.of(), false));
    }

    private void sizes(long... sizes) {
        for (long bytes : sizes) {
            add(1, bytes, 1, 0, 1, 2);
        }
    }

    /** {@code step} 0: of the same flush as the file before. */
    private void add(int step, long bytes, long entries, long deletions, Integer... families) {
        sequence += step;
        files.add(new FileFacts(
                reference(bytes, sequence, sequence, List.of(families)),
                entries,
                deletions,
                WRITTEN,
                List.of(),
                false));
    }

    private static FileReference reference(long bytes, long smallest, long largest, List<Integer> families) {
        return FileReference.newBuilder()
                .setPath("data/4/" + families + "/" + smallest + "-" + largest)
                .setBytes(bytes)
                .setFamilies(families)
                .setSmallestSequence(smallest)
                .setLargestSequence(largest)
                .build();
    }

    private Optional<CompactionPlan> pick() {
        return pick(schema("default", "default"));
    }

    private Optional<CompactionPlan> pick(TableSchema schema) {
        return CompactionPicker.pick(new Situation(files, schema, now, NEVER, isPressed), plan -> true);
    }

    private CompactionPlan plan(int from, int to, Reason reason) {
        return new CompactionPlan(
                files.subList(from, to).stream().map(FileFacts::reference).toList(), from == 0, reason);
    }

    private static TableSchema schema(String groupOfOne, String groupOfTwo) {
        return schema(
                new FamilySchema(1, "one", groupOfOne, GcRule.KEEP_ALL),
                new FamilySchema(2, "two", groupOfTwo, GcRule.KEEP_ALL));
    }

    /** So many families, each in a group of its own. */
    private static TableSchema apart(int families) {
        return schema(IntStream.rangeClosed(1, families)
                .mapToObj(id -> new FamilySchema(id, "f" + id, "g" + id, GcRule.KEEP_ALL))
                .toArray(FamilySchema[]::new));
    }

    private static TableSchema schema(FamilySchema... families) {
        List<LocalityGroup> groups = Stream.of(families)
                .map(FamilySchema::localityGroup)
                .distinct()
                .map(name -> new LocalityGroup(name, 1 << 12, "none", false, LocalityGroup.DEFAULT.bloom()))
                .toList();
        return new TableSchema(4, "usertable", 1, 10, TableSchema.Durability.SYNC, List.of(families), groups);
    }
}
