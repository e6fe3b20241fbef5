package bt.thrift.convert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.model.ColumnKey;
import bt.model.Filter;
import bt.model.FilterText;
import bt.thrift.gen.BigtableError;
import bt.thrift.gen.Change;
import bt.thrift.gen.Column;
import bt.thrift.gen.DeleteVersion;
import bt.thrift.gen.DeleteVersions;
import bt.thrift.gen.ErrorKind;
import bt.thrift.gen.Family;
import bt.thrift.gen.GcRule;
import bt.thrift.gen.RowMutation;
import bt.thrift.gen.Scan;
import bt.thrift.gen.Script;
import bt.thrift.gen.Table;
import bt.thrift.gen.TimeRange;
import java.nio.ByteBuffer;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ConversionTest {
    private static final Column COLUMN = new Column("f", ByteBuffer.wrap(new byte[] {0, -1}));

    @ParameterizedTest
    @EnumSource
    void everyKindKeepsNumberOutcomeAndMessage(BigtableException.Kind kind) {
        BigtableException failure = BigtableException.of(kind, "why", Outcome.UNKNOWN, 250);

        BigtableError error = Errors.of(failure);

        assertThat(error.getKind().getValue()).isEqualTo(kind.number());
        assertThat(error.getKind()).hasToString(kind.name());
        assertThat(error.getOutcome()).hasToString(failure.outcome().name());
        assertThat(error.getRetryAfterMillis()).isEqualTo(kind == BigtableException.Kind.OVERLOADED ? 250 : 0);
        assertThat(error.getMessage()).isEqualTo("why");
    }

    @Test
    void everyErrorKindIsOfOurs() {
        assertThat(ErrorKind.values()).hasSameSizeAs(BigtableException.Kind.values());
    }

    @Test
    void anAbsentFilterLetsEverythingPass() throws RejectedException {
        assertThat(Filters.of(null)).isEqualTo(Filter.ALL);
        assertThat(Filters.of(new bt.thrift.gen.Filter())).isEqualTo(Filter.ALL);
    }

    @Test
    void filtersApplyInTheOrderOfTheInterface() throws RejectedException {
        bt.thrift.gen.Filter given = new bt.thrift.gen.Filter()
                .setScript(new Script("groovy", "true"))
                .setVersions(3)
                .setTimes(new TimeRange(1, 9))
                .setColumns(List.of(COLUMN))
                .setFamilies(List.of("f", "g"));

        assertThat(Filters.of(given))
                .isEqualTo(new Filter.Chain(List.of(
                        new Filter.Families(List.of("f", "g")),
                        new Filter.Columns(List.of(new ColumnKey("f", Bytes.hex("00ff")))),
                        new Filter.Times(1, 8),
                        new Filter.Latest(3),
                        new Filter.Script("groovy", "true", Bytes.EMPTY))));
    }

    @Test
    void aFilterInTextIsOneAndWhatIsWrongInItIsPointedAt() throws RejectedException {
        bt.thrift.gen.Filter given = new bt.thrift.gen.Filter().setVersions(3).setText("family=f | value~'.*é'");

        assertThat(Filters.of(given))
                .isEqualTo(new Filter.Chain(List.of(new Filter.Latest(3), FilterText.parse("family=f | value~'.*é'"))));
        refused(
                () -> Filters.of(new bt.thrift.gen.Filter().setText("family=f & lates(1)")),
                "filter, character 12: no filter is called lates");
    }

    @Test
    void aListWithoutAnElementLetsNothingPass() throws RejectedException {
        assertThat(Filters.of(new bt.thrift.gen.Filter().setFamilies(List.of())))
                .isEqualTo(Filter.NONE);
        assertThat(Filters.of(new bt.thrift.gen.Filter().setColumns(List.of()))).isEqualTo(Filter.NONE);
        assertThat(Filters.of(new bt.thrift.gen.Filter().setTimes(new TimeRange(5, 5))))
                .isEqualTo(Filter.NONE);
    }

    @Test
    void whatIsMissingIsNamed() {
        refused(() -> Mutations.of(null), "mutation is missing");
        refused(() -> Mutations.of(new RowMutation()), "mutation.row is missing");
        refused(() -> Mutations.of(new RowMutation().setRow(new byte[1])), "mutation.changes is missing");
        refused(() -> mutation(new Change()), "what one of mutation.changes does is missing");
        refused(() -> mutation(Change.deleteColumn(new Column())), "family of a column is missing");
        refused(() -> mutation(Change.deleteVersion(new DeleteVersion().setColumn(COLUMN))), "timestamp is missing");
        refused(() -> Tables.draft(new Table().setName("t")), "table.families is missing");
        refused(() -> Tables.name(null), "table is missing");
        refused(() -> Rows.key(null), "row is missing");
        refused(() -> PageRequest.of(null, null), "scan is missing");
    }

    @Test
    void whatBreaksARuleOfTheModelIsRejected() {
        refused(() -> Mutations.of(new RowMutation(ByteBuffer.allocate(1), List.of())), "a mutation changes something");
        refused(() -> mutation(Change.deleteVersions(new DeleteVersions(COLUMN, 2, 1))), "versions from 2 to 1");
        refused(() -> Filters.of(new bt.thrift.gen.Filter().setVersions(0)), "the latest 0 versions");
        refused(() -> Tables.draft(new Table("a/b", List.of())), "table name \"a/b\"");
        refused(() -> Tables.draft(new Table("t", List.of(new Family("f"), new Family("f")))), "family f twice");
        refused(
                () -> Tables.draft(new Table("t", List.of(new Family("f").setGarbage(GcRule.maxVersions(0))))),
                "at least one version");
        refused(() -> Rows.key(ByteBuffer.allocate(0)), "row is empty");
    }

    @Test
    void aNameThatNoTableCanHaveIsNotRepeated() {
        assertThatThrownBy(() -> Tables.name("x".repeat(1 << 20)))
                .isInstanceOf(RejectedException.class)
                .satisfies(refusal -> assertThat(refusal.getMessage()).hasSizeLessThan(200));
    }

    @Test
    void aRangeThatEndsBeforeItStartsIsRejected() {
        refused(() -> PageRequest.of(new Scan().setStartRow(new byte[] {2}).setEndRow(new byte[] {1}), null), "endRow");
    }

    @Test
    void pagesAreBounded() throws RejectedException {
        PageRequest page = PageRequest.of(new Scan(), ByteBuffer.allocate(0));

        assertThat(page.rows()).isEqualTo(PageRequest.DEFAULT_ROWS);
        assertThat(page.bytes()).isEqualTo(PageRequest.DEFAULT_BYTES);
        refused(() -> PageRequest.of(new Scan().setPageRows(10_001), null), "set 1 to 10000");
        refused(() -> PageRequest.of(new Scan().setPageRows(0), null), "set 1 to 10000");
        refused(() -> PageRequest.of(new Scan().setPageBytes(Integer.MAX_VALUE), null), "set 1 to 4194304");
    }

    @Test
    void aTokenOfAnotherScanIsRejected() {
        ByteBuffer token = new ResumeToken(Bytes.utf8("m")).encode();

        refused(() -> PageRequest.of(new Scan().setStartRow(new byte[] {'n'}), token), "outside of this scan");
        refused(() -> PageRequest.of(new Scan().setEndRow(new byte[] {'m'}), token), "outside of this scan");
        refused(() -> PageRequest.of(new Scan(), ByteBuffer.wrap(new byte[] {7, 7})), "none of ours");
    }

    private static void mutation(Change change) throws RejectedException {
        Mutations.of(new RowMutation(ByteBuffer.allocate(1), List.of(change)));
    }

    private static void refused(ThrowingCallable call, String why) {
        assertThatThrownBy(call).isInstanceOf(RejectedException.class).hasMessageContaining(why);
    }
}
