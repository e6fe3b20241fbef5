package bt.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.client.BatchWriter;
import bt.client.Table;
import bt.master.MasterConfig;
import bt.model.ColumnKey;
import bt.model.ConditionalMutation;
import bt.model.Filter;
import bt.model.GcRule;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.model.Timestamps;
import java.util.List;
import java.util.random.RandomGenerator;

/** Who gives timestamps is the family's to say, whichever way a write comes. */
class TimestampSimTest {
    private static final TableSchema DRAFT = TableSchema.draft("t")
            .family("server", new GcRule.MaxVersions(1))
            .timestamps("server", Timestamps.SERVER)
            .family("client", GcRule.KEEP_ALL)
            .timestamps("client", Timestamps.CLIENT)
            .family("either", GcRule.KEEP_ALL)
            .build();
    private static final Bytes ROW = Bytes.utf8("r");

    @SeededTest(runs = 3)
    void aFamilyTakesTheTimestampsThatItSays(RandomGenerator random) {
        ClusterStory.tell(random, MasterConfig.DEFAULT, DRAFT, List.of(), (cluster, client) -> {
            Table table = client.table("t");
            table.apply(stamped("client"));
            table.apply(unstamped("server"));
            table.apply(stamped("either"));
            table.apply(unstamped("either"));
            refused(table, stamped("server"), "write the cell without one");
            refused(table, unstamped("client"), "write the cell with one");
            refused(table, RowMutation.of(ROW).append(q("client"), ROW).build(), "APPEND takes the server's");
            // What it comes to has a timestamp, which is its server's.
            assertThat(table.increment(ROW, ColumnKey.of("server", "count"), 3)).isEqualTo(3);
            ConditionalMutation hidden =
                    ConditionalMutation.when(Filter.NONE, unstamped("server")).otherwise(stamped("server"));
            assertThatThrownBy(() -> table.apply(hidden)).isInstanceOf(RejectedException.class);
            assertThatThrownBy(() -> {
                        try (BatchWriter batch = table.batch()) {
                            batch.add(stamped("server"));
                        }
                    })
                    .isInstanceOf(RejectedException.class);
            client.admin().alterTable("t", schema -> schema.change()
                    .timestamps("server", Timestamps.EITHER)
                    .timestamps("either", Timestamps.CLIENT)
                    .build());
            table.apply(stamped("server"));
            refused(table, unstamped("either"), "write the cell with one");
        });
    }

    private static void refused(Table table, RowMutation mutation, String reason) {
        assertThatThrownBy(() -> {
                    long unused = table.apply(mutation);
                })
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining(reason)
                .extracting(failure -> ((BigtableException) failure).outcome())
                .isEqualTo(BigtableException.Outcome.NOT_APPLIED);
    }

    private static RowMutation stamped(String family) {
        return RowMutation.of(ROW).set(q(family), 7, Bytes.utf8("v")).build();
    }

    private static RowMutation unstamped(String family) {
        return RowMutation.of(ROW).set(q(family), Bytes.utf8("v")).build();
    }

    private static ColumnKey q(String family) {
        return ColumnKey.of(family, "q");
    }
}
