package bt.tablet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.Bytes;
import bt.base.RejectedException;
import bt.base.Slice;
import bt.model.CellKey;
import bt.model.Change;
import bt.model.ColumnKey;
import bt.model.Limits;
import bt.model.RowMutation;
import bt.model.TableSchema;
import org.junit.jupiter.api.Test;

class ResolverTest {
    private static final TableSchema SCHEMA = RandomTable.schema(4);
    private static final ColumnKey COLUMN = ColumnKey.of("all", "q");

    @Test
    void everyChangeHasItsOwnSequence() throws RejectedException {
        RowMutation mutation = RowMutation.of("r")
                .set("all", "q", "v")
                .deleteColumn(COLUMN)
                .deleteRow()
                .build();

        ResolvedMutation resolved = Resolver.resolve(mutation, SCHEMA, 10, 500);

        assertThat(resolved.entries())
                .extracting(entry -> CellKey.sequenceOf(Slice.of(entry.key())))
                .containsExactly(10L, 11L, 12L);
        assertThat(resolved.lastSequence()).isEqualTo(12);
    }

    @Test
    void theServerTimestampIsUsedOnlyWhereItIsAskedFor() throws RejectedException {
        RowMutation asked = RowMutation.of("r").set("all", "q", "v").build();
        RowMutation given = RowMutation.of("r").set(COLUMN, 7, Bytes.EMPTY).build();

        assertThat(Resolver.resolve(asked, SCHEMA, 1, 500).answer()).isEqualTo(500);
        assertThat(timestampOf(Resolver.resolve(asked, SCHEMA, 1, 500))).isEqualTo(500);
        assertThat(Resolver.resolve(given, SCHEMA, 1, 500).answer()).isZero();
        assertThat(Resolver.resolve(given, SCHEMA, 1, 500).timestamp()).isEqualTo(500);
        assertThat(timestampOf(Resolver.resolve(given, SCHEMA, 1, 500))).isEqualTo(7);
    }

    private static long timestampOf(ResolvedMutation mutation) {
        return CellKey.timestampOf(Slice.of(mutation.entries().get(0).key()));
    }

    @Test
    void anUnknownFamilyIsRejectedWithTheKnownOnes() {
        rejected(
                RowMutation.of("r").set("al", "q", "v").build(),
                "table usertable has no family al: it has one, all, young, both");
        rejected(RowMutation.of("r").deleteFamily("x").build(), "table usertable has no family x");
    }

    @Test
    void whatIsTooLargeIsRejected() {
        rejected(
                RowMutation.of(Bytes.EMPTY).deleteRow().build(),
                "table usertable: a row key is not empty: give it 1 to 65536 bytes");
        rejected(
                RowMutation.of(bytes(Limits.ROW_BYTES + 1)).deleteRow().build(),
                "a row key of 65537 bytes, at most 65536 are taken");
        rejected(
                RowMutation.of("r")
                        .deleteColumn(new ColumnKey("all", bytes(Limits.QUALIFIER_BYTES + 1)))
                        .build(),
                "a qualifier of 65537 bytes");
        rejected(
                RowMutation.of("r").set(COLUMN, bytes(Limits.VALUE_BYTES + 1)).build(),
                "table usertable row r: a value of 67108865 bytes, at most 67108864 are taken: cut it into several cells");
        RowMutation.Builder many = RowMutation.of("r");
        for (int i = 0; i <= Limits.CHANGES_PER_MUTATION; i++) {
            many.add(new Change.DeleteRow());
        }
        rejected(many.build(), "100001 changes in one mutation, at most 100000 are taken: split it");
    }

    private static Bytes bytes(int length) {
        return Bytes.wrap(new byte[length]);
    }

    /** Each key has the row: of what fits a request one would fill a server's memory. */
    @Test
    void aLongRowWithManyChangesIsRejectedBeforeThereIsAKey() throws RejectedException {
        rejected(many(Bytes.wrap(new byte[Limits.ROW_BYTES]), 1_100), "at most 134217728 are taken: split it");
        Bytes row = Bytes.utf8("r".repeat(Limits.ROW_BYTES));
        rejected(many(row, Limits.CHANGES_PER_MUTATION), "at most 134217728 are taken: split it");
        assertThat(Resolver.resolve(many(row, 500), SCHEMA, 1, 1).entries()).hasSize(500);
    }

    private static RowMutation many(Bytes row, int changes) {
        RowMutation.Builder mutation = RowMutation.of(row);
        for (int i = 0; i < changes; i++) {
            mutation.set(ColumnKey.of("all", "q" + i), 1, Bytes.EMPTY);
        }
        return mutation.build();
    }

    private static void rejected(RowMutation mutation, String message) {
        assertThatThrownBy(() -> Resolver.resolve(mutation, SCHEMA, 1, 1))
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining(message);
    }
}
