package bt.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import bt.model.CellKey;
import bt.model.FamilySchema;
import bt.model.GcRule;
import bt.model.LocalityGroup;
import bt.model.TableSchema;
import bt.record.FamilyAges;
import bt.record.FileReference;
import bt.tablet.CompactionPicker.Situation;
import bt.tablet.CompactionPlan.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is compacted because of time: promises, and versions that are too old. */
class PurgePlanTest {
    private static final long MINUTE = 60_000_000L;
    private static final long DAY = 24 * 60 * MINUTE;
    private static final long MADE = 1000 * DAY;
    private static final long LATE = 10 * MINUTE;
    private static final GcRule A_WEEK = new GcRule.MaxAge(7 * DAY);

    private final List<FileFacts> files = new ArrayList<>();
    private long horizon = Long.MAX_VALUE;

    @Test
    void aDeletionIsPurgedAtHalfOfThePromisedTimeWithAllThatIsOlder() {
        TableSchema schema = promised(GcRule.KEEP_ALL);
        plain(1);
        files.add(facts(2, deletion(1, MADE)));
        plain(3);
        assertThat(pick(schema, MADE + DAY / 2 - 1)).isEmpty();
        assertThat(pick(schema, MADE + DAY / 2)).contains(plan(0, 2, Reason.PURGE));
        assertThat(pick(schema(GcRule.KEEP_ALL), MADE + DAY)).isEmpty();
    }

    @Test
    void aDeletionOfARowConcernsEveryFamily() {
        files.add(facts(1, deletion(CellKey.ROW_LEVEL, MADE)));
        assertThat(pick(promised(GcRule.KEEP_ALL), MADE + DAY / 2)).contains(plan(0, 1, Reason.PURGE));
    }

    @Test
    void whatLiesAboveTheHorizonWaits() {
        plain(1);
        files.add(facts(2, deletion(1, MADE)));
        horizon = 1;
        assertThat(pick(promised(GcRule.KEEP_ALL), MADE + DAY)).isEmpty();
    }

    /** After a split: who has the rows now deletes them in a file of its own, and this one keeps them. */
    @Test
    void aFileWithRowsOfAnotherTabletIsRewrittenAtHalfOfThePromisedTime() {
        plain(1);
        FileFacts own = facts(2, new FamilyAges(1, 0L, 0L, 0L, List.of(0L, 10L), ""));
        files.add(new FileFacts(own.reference(), own.entries(), 0, MADE, own.ages(), true));
        plain(3);
        TableSchema schema = promised(GcRule.KEEP_ALL);
        assertThat(pick(schema, MADE + DAY / 2 - 1)).isEmpty();
        assertThat(pick(schema, MADE + DAY / 2)).contains(plan(1, 2, Reason.PURGE));
        assertThat(pick(schema(GcRule.KEEP_ALL), MADE + DAY)).isEmpty();
    }

    @Test
    void aPutThatMayHavePushedAnotherOutIsAReasonToo() {
        TableSchema schema = promised(new GcRule.MaxVersions(3));
        plain(1, "versions 3");
        files.add(facts(2, new FamilyAges(1, 0L, MADE, 0L, List.of(), "versions 3")));
        assertThat(pick(schema, MADE + DAY / 2)).contains(plan(0, 2, Reason.PURGE));
    }

    @Test
    void whatIsTooOldGoesFromTheRunAlone() {
        TableSchema schema = promised(A_WEEK);
        plain(1, Expiry.mark(A_WEEK));
        files.add(facts(2, new FamilyAges(1, 0L, 0L, MADE, List.of(0L, 0L, 10L), Expiry.mark(A_WEEK))));
        plain(3, Expiry.mark(A_WEEK));
        assertThat(pick(schema, MADE + DAY / 2 - 1)).isEmpty();
        assertThat(pick(schema, MADE + DAY / 2)).contains(plan(1, 2, Reason.PURGE));
    }

    @Test
    void aFileOfAnotherRuleIsJudgedAgain() {
        plain(1);
        assertThat(pick(promised(new GcRule.MaxVersions(3)), MADE)).contains(plan(0, 1, Reason.PURGE));
        assertThat(pick(schema(new GcRule.MaxVersions(3)), MADE)).isEmpty();
    }

    @Test
    void manyDeletionsThatHadToStayAreAReasonAsSoonAsTheyMayGo() {
        FileReference reference = facts(1).reference();
        files.add(new FileFacts(reference, 9000, 3000, MADE, List.of(deletion(1, MADE)), false));
        assertThat(pick(schema(GcRule.KEEP_ALL), MADE)).contains(plan(0, 1, Reason.DELETIONS));
        horizon = 0;
        assertThat(pick(schema(GcRule.KEEP_ALL), MADE)).isEmpty();
    }

    /** Half of the bytes were a day old at most, half of them four to eight days, when the file was written. */
    @Test
    void aFileOfWhichHalfIsTooOldIsRewrittenWithoutAnyPromise() {
        AgeClasses classes = new AgeClasses();
        for (int hours = 1; hours <= 24; hours++) {
            classes.add(hours * DAY / 24, 1000);
            classes.add(6 * DAY, 1100);
        }
        plain(1, Expiry.mark(A_WEEK));
        files.add(facts(2, new FamilyAges(1, 0L, 0L, MADE + DAY, classes.bytes(), Expiry.mark(A_WEEK))));
        assertThat(pick(schema(A_WEEK), MADE + DAY + LATE)).as("a few are").isEmpty();
        assertThat(pick(schema(A_WEEK), MADE + 4 * DAY + LATE)).contains(plan(1, 2, Reason.EXPIRED));
        assertThat(pick(schema(GcRule.KEEP_ALL), MADE + 900 * DAY)).isEmpty();
    }

    /** What was too old already when it was written, and one cell of the far future. */
    @Test
    void aFileIsNotWrittenAgainBeforeAQuarterOfTheAge() {
        AgeClasses classes = new AgeClasses();
        classes.add(30 * DAY, 1000);
        classes.add(-1, 900);
        files.add(facts(1, new FamilyAges(1, 0L, 0L, MADE, classes.bytes(), Expiry.mark(A_WEEK))));
        assertThat(pick(schema(A_WEEK), MADE + 7 * DAY / 4 + LATE - 1)).isEmpty();
        assertThat(pick(schema(A_WEEK), MADE + 7 * DAY / 4 + LATE)).contains(plan(0, 1, Reason.EXPIRED));
    }

    private static FamilyAges deletion(int family, long micros) {
        return new FamilyAges(family, micros, 0L, 0L, List.of(), "");
    }

    private void plain(long sequence, String... rule) {
        files.add(facts(sequence, new FamilyAges(1, 0L, 0L, 0L, List.of(0L, 10L), rule.length == 0 ? "" : rule[0])));
    }

    private static FileFacts facts(long sequence, FamilyAges... ages) {
        FileReference reference = FileReference.newBuilder()
                .setPath("data/4/1/" + sequence)
                .setBytes(1000 >> sequence)
                .setFamilies(List.of(1))
                .setSmallestSequence(sequence)
                .setLargestSequence(sequence)
                .build();
        return new FileFacts(reference, 10, 1, MADE, List.of(ages), false);
    }

    private Optional<CompactionPlan> pick(TableSchema schema, long nowMicros) {
        return CompactionPicker.pick(new Situation(files, schema, nowMicros, horizon, false), plan -> true);
    }

    private CompactionPlan plan(int from, int to, Reason reason) {
        return new CompactionPlan(
                files.subList(from, to).stream().map(FileFacts::reference).toList(), from == 0, reason);
    }

    private static TableSchema promised(GcRule rule) {
        return schema(new FamilySchema(1, "f", LocalityGroup.DEFAULT_NAME, rule).purgedWithin(DAY));
    }

    private static TableSchema schema(GcRule rule) {
        return schema(new FamilySchema(1, "f", LocalityGroup.DEFAULT_NAME, rule));
    }

    private static TableSchema schema(FamilySchema family) {
        return new TableSchema(
                4, "t", 1, 2, TableSchema.Durability.SYNC, List.of(family), List.of(LocalityGroup.DEFAULT));
    }
}
