package bt.tablet;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.Bytes;
import bt.base.RejectedException;
import bt.model.ColumnKey;
import bt.model.GcRule;
import bt.model.Limits;
import bt.model.RowMutation;
import bt.model.TableSchema;
import org.junit.jupiter.api.Test;

/** What depends on its row; the bounds of all else are in ResolverTest. */
class MutationCheckTest {
    private static final TableSchema SCHEMA =
            TableSchema.draft("counts").family("f", GcRule.KEEP_ALL).build();

    @Test
    void whatDependsOnTheRowIsJudgedWithoutIt() throws RejectedException {
        Bytes most = Bytes.wrap(new byte[Limits.NAMED_QUALIFIER_BYTES]);
        Bytes more = Bytes.wrap(new byte[Limits.NAMED_QUALIFIER_BYTES + 1]);
        MutationCheck.check(
                RowMutation.of("r")
                        .increment(new ColumnKey("f", most), 1)
                        .append(ColumnKey.of("f", "log"), Bytes.utf8("v"))
                        .build(),
                SCHEMA);
        rejected(
                RowMutation.of("r").increment(new ColumnKey("f", more), 1).build(),
                "table counts row r: a qualifier that is read by name of 16385 bytes, at most 16384 are taken");
        rejected(
                RowMutation.of("r").append(ColumnKey.of("g", "q"), Bytes.EMPTY).build(),
                "table counts has no family g: it has f");
        rejected(
                RowMutation.of("r")
                        .append(ColumnKey.of("f", "q"), Bytes.wrap(new byte[Limits.VALUE_BYTES + 1]))
                        .build(),
                "a value of 67108865 bytes, at most 67108864 are taken");
    }

    @Test
    void ofManyFamiliesAFewAreTold() {
        TableSchema.Builder draft = TableSchema.draft("wide");
        for (int i = 0; i < Limits.FAMILIES; i++) {
            draft.family("family-%03d".formatted(i), GcRule.KEEP_ALL);
        }
        RowMutation mutation =
                RowMutation.of("r").deleteFamily("f".repeat(100_000)).build();
        assertThatThrownBy(() -> MutationCheck.check(mutation, draft.build()))
                .message()
                .contains("…: it has family-000, family-001,")
                .endsWith("family-019 and 480 more: name one that it has, or add it")
                .hasSizeLessThan(500);
    }

    private static void rejected(RowMutation mutation, String message) {
        assertThatThrownBy(() -> MutationCheck.check(mutation, SCHEMA))
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining(message);
    }
}
