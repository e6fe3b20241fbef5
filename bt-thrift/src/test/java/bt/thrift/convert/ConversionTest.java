package bt.thrift.convert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.client.ReadAmount;
import bt.client.Written;
import bt.model.ColumnKey;
import bt.model.Filter;
import bt.model.FilterText;
import bt.model.RowSet;
import bt.thrift.gen.Append;
import bt.thrift.gen.BigtableError;
import bt.thrift.gen.Bloom;
import bt.thrift.gen.Change;
import bt.thrift.gen.Column;
import bt.thrift.gen.ConditionalMutation;
import bt.thrift.gen.DeleteVersion;
import bt.thrift.gen.DeleteVersions;
import bt.thrift.gen.ErrorKind;
import bt.thrift.gen.Family;
import bt.thrift.gen.GcRule;
import bt.thrift.gen.Increment;
import bt.thrift.gen.LocalityGroup;
import bt.thrift.gen.MutationResult;
import bt.thrift.gen.Quotas;
import bt.thrift.gen.ReadLimits;
import bt.thrift.gen.RowMutation;
import bt.thrift.gen.RowRange;
import bt.thrift.gen.Scan;
import bt.thrift.gen.ScanRows;
import bt.thrift.gen.Script;
import bt.thrift.gen.Table;
import bt.thrift.gen.TimeRange;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.thrift.TException;
import org.apache.thrift.TSerializer;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.protocol.TCompactProtocol;
import org.apache.thrift.protocol.TProtocolFactory;
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
    void asManyFailuresAsACallHasMutationsFitAFrame() throws TException {
        String row = "x".repeat(60_000);
        BigtableException failure = new UnavailableException("row " + row + ": no server (attempt 3)", Outcome.UNKNOWN);

        MutationResult result = Mutations.result(new Written(0, Optional.of(failure)));

        assertThat(result.getError().getMessage())
                .startsWith("row xxx")
                .contains("x...x")
                .endsWith("x: no server (attempt 3)");
        for (TProtocolFactory protocol : List.of(new TCompactProtocol.Factory(), new TBinaryProtocol.Factory())) {
            assertThat(10_000 * new TSerializer(protocol).serialize(result).length)
                    .isLessThan(16_384_000 - (64 << 10));
        }
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
                .setCellsPerRow(7)
                .setAsOf(5)
                .setTimes(new TimeRange(1, 9))
                .setColumns(List.of(COLUMN))
                .setFamilies(List.of("f", "g"));

        assertThat(Filters.of(given))
                .isEqualTo(new Filter.Chain(List.of(
                        new Filter.Times(Long.MIN_VALUE, 5),
                        new Filter.Families(List.of("f", "g")),
                        new Filter.Columns(List.of(new ColumnKey("f", Bytes.hex("00ff")))),
                        new Filter.Times(1, 8),
                        new Filter.Latest(3),
                        new Filter.Script("groovy", "true", Bytes.EMPTY),
                        new Filter.First(7))));
    }

    @Test
    void aFilterInTextIsOneAndWhatIsWrongInItIsPointedAt() throws RejectedException {
        bt.thrift.gen.Filter given = new bt.thrift.gen.Filter().setVersions(3).setText("family=f | value~'.*é'");

        assertThat(Filters.of(given))
                .isEqualTo(new Filter.Chain(List.of(FilterText.parse("family=f | value~'.*é'"), new Filter.Latest(3))));
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
    void theHighestTimestampIsInReach() throws RejectedException {
        assertThat(Filters.of(new bt.thrift.gen.Filter().setTimes(new TimeRange(5, Long.MAX_VALUE))))
                .isEqualTo(new Filter.Times(5, Long.MAX_VALUE));
        assertThat(Filters.of(new bt.thrift.gen.Filter().setTimes(new TimeRange(5, Long.MAX_VALUE - 1))))
                .isEqualTo(new Filter.Times(5, Long.MAX_VALUE - 2));
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
        refused(() -> Mutations.all(null), "mutations is missing");
        refused(() -> Mutations.conditional(null), "mutation is missing");
        refused(() -> mutation(Change.increment(new Increment().setColumn(COLUMN))), "increment.amount is missing");
        refused(() -> mutation(Change.append(new Append().setColumn(COLUMN))), "append.value is missing");
        refused(() -> PageRequest.of(null), "scan is missing");
    }

    @Test
    void whatBreaksARuleOfTheModelIsRejected() {
        refused(() -> Mutations.of(new RowMutation(ByteBuffer.allocate(1), List.of())), "a mutation changes something");
        refused(() -> mutation(Change.deleteVersions(new DeleteVersions(COLUMN, 2, 1))), "versions from 2 to 1");
        refused(() -> Filters.of(new bt.thrift.gen.Filter().setVersions(0)), "the latest 0 versions");
        refused(
                () -> Mutations.conditional(new ConditionalMutation(ByteBuffer.allocate(1))),
                "a conditional mutation changes something");
        refused(
                () -> Tables.draft(new Table("t", List.of(new Family("f").setPurgeMicros(1)))),
                "within 30 minutes or more");
        refused(
                () -> Mutations.all(Collections.nCopies(10_001, new bt.thrift.gen.RowMutation())),
                "10001 mutations in one call: at most 10000");
        refused(() -> Tables.draft(new Table("a/b", List.of())), "table name \"a/b\"");
        refused(() -> Tables.draft(new Table("t", List.of(new Family("f"), new Family("f")))), "family f twice");
        refused(() -> table(new LocalityGroup("g").setBlockBytes(1)), "blocks of 1 bytes: give 1 KiB to 4 MiB");
        refused(() -> table(new LocalityGroup("g/h")), "locality group name \"g/h\"");
        refused(() -> table(new LocalityGroup("g").setBloom(new Bloom().setBitsPerKey(33))), "33 Bloom bits a key");
        refused(() -> table(new LocalityGroup("g"), new LocalityGroup("g")), "locality group g twice");
        refused(() -> table(new LocalityGroup()), "the name of a locality group is missing");
        refused(
                () -> Tables.draft(new Table("t", List.of(new Family("f").setLocalityGroup("g")))),
                "family f names the locality group g, which is not there");
        refused(
                () -> Tables.draft(new Table("t", List.of()).setQuotas(new Quotas().setTableBytes(-1))),
                "a table's quota of -1 bytes: give 0 or more");
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
        refused(() -> PageRequest.of(new Scan().setStartRow(new byte[] {2}).setEndRow(new byte[] {1})), "endRow");
    }

    @Test
    void pagesAreBounded() throws RejectedException {
        PageRequest page = PageRequest.of(new Scan());

        assertThat(page.rows()).isEqualTo(PageRequest.DEFAULT_ROWS);
        assertThat(page.bytes()).isEqualTo(PageRequest.DEFAULT_BYTES);
        refused(() -> PageRequest.of(new Scan().setPageRows(10_001)), "set 1 to 10000");
        refused(() -> PageRequest.of(new Scan().setPageRows(0)), "set 1 to 10000");
        refused(() -> PageRequest.of(new Scan().setPageBytes(Integer.MAX_VALUE)), "set 1 to 4194304");
    }

    @Test
    void aTokenOfAnotherScanIsRejected() {
        ResumeToken token = new ResumeToken(Bytes.utf8("m"), ReadAmount.NONE);

        refused(() -> rest(token, new Scan().setStartRow(new byte[] {'n'})), "outside of this scan");
        refused(() -> rest(token, new Scan().setEndRow(new byte[] {'m'})), "outside of this scan");
        refused(() -> rest(token, new Scan().setRows(List.of(ScanRows.row(new byte[] {'l'})))), "outside of this scan");
        ResumeToken taken = new ResumeToken(Bytes.utf8("m"), new ReadAmount(7, 0, 0));
        refused(() -> rest(taken, new Scan().setLimits(new ReadLimits().setRows(7))), "outside of this scan");
        for (int version = 2; version < 8; version++) {
            ByteBuffer foreign = ByteBuffer.wrap(new byte[] {(byte) version, -1});
            refused(() -> ResumeToken.of(foreign), "none of ours");
            refused(() -> CellToken.of(foreign), "none of a scan");
        }
    }

    /** What gateways gave before there were limits: a caller may be in the middle of a scan. */
    @Test
    void aTokenOfAnUnlimitedScanIsAByteAndARow() throws RejectedException {
        ByteBuffer token = ByteBuffer.wrap(new byte[] {1, 'm'});

        assertThat(ResumeToken.of(token)).contains(new ResumeToken(Bytes.utf8("m"), ReadAmount.NONE));
        assertThat(new ResumeToken(Bytes.utf8("m"), ReadAmount.NONE).encode()).isEqualTo(token);
    }

    @Test
    void rowsAreSinglePrefixesAndRangesWithinStartAndEnd() throws RejectedException {
        Scan scan = new Scan()
                .setStartRow(new byte[] {'b'})
                .setRows(List.of(
                        ScanRows.prefix(new byte[] {'x'}),
                        ScanRows.row(new byte[] {'c'}),
                        ScanRows.row(new byte[] {'c'}),
                        ScanRows.range(new RowRange().setEnd(new byte[] {'b', 'b'}))))
                .setReversed(true)
                .setLimits(new ReadLimits().setCells(5));

        bt.client.Scan read = PageRequest.of(scan).scan();

        assertThat(read.walk().reversed()).isTrue();
        assertThat(read.walk().rows())
                .isEqualTo(RowSet.of(
                        bt.model.RowRange.of(Bytes.utf8("b"), Bytes.utf8("bb")),
                        bt.model.RowRange.row(Bytes.utf8("c")),
                        bt.model.RowRange.prefix(Bytes.utf8("x"))));
        assertThat(read.limits()).isEqualTo(bt.client.ReadLimits.NONE.cells(5));
        assertThat(PageRequest.of(new Scan().setRows(List.of())).scan().walk().isEmpty())
                .isTrue();
        refused(() -> PageRequest.of(new Scan().setRows(List.of(new ScanRows()))), "which rows");
        refused(() -> PageRequest.of(new Scan().setRows(List.of(ScanRows.row(new byte[0])))), "row is empty");
        refused(
                () -> PageRequest.of(new Scan().setLimits(new ReadLimits().setBytes(0))),
                ": ask for 1 of each at least");
    }

    private static void rest(ResumeToken token, Scan scan) throws RejectedException {
        token.rest(PageRequest.of(scan).scan());
    }

    private static void table(LocalityGroup... groups) throws RejectedException {
        Tables.draft(new Table("t", List.of()).setGroups(List.of(groups)));
    }

    private static void mutation(Change change) throws RejectedException {
        Mutations.of(new RowMutation(ByteBuffer.allocate(1), List.of(change)));
    }

    private static void refused(ThrowingCallable call, String why) {
        assertThatThrownBy(call).isInstanceOf(RejectedException.class).hasMessageContaining(why);
    }
}
