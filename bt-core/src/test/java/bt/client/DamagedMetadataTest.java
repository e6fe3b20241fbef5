package bt.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.metadata.MetadataKeys;
import bt.metadata.MetadataSchema;
import bt.model.GcRule;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.protocol.Request;
import bt.protocol.Write;
import bt.protocol.WriteId;
import bt.testing.MemoryCluster;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Of a table's tablets up to f, up to m and to the last METADATA's row of the second cannot be understood. */
class DamagedMetadataTest {
    private static final Bytes M = Bytes.utf8("m");

    private MemoryCluster cluster;
    private Bigtable bigtable;
    private Table table;

    @BeforeEach
    void start() throws Exception {
        cluster = new MemoryCluster();
        TableSchema draft =
                TableSchema.draft("web").family("f", GcRule.KEEP_ALL).build();
        TableSchema unused = cluster.table(4, draft, List.of(Bytes.utf8("f"), M), 3);
        damage(new TabletId(4, Optional.of(M)));
        bigtable = Bigtable.over(cluster, cluster.locks, cluster.scheduler);
        table = bigtable.table("web");
    }

    @AfterEach
    void stop() {
        bigtable.close();
        cluster.close();
    }

    @Test
    void whoeverNeedsItIsToldOfWhichTableAndRowsItIs() {
        assertThatThrownBy(() -> table.read(Bytes.utf8("g")))
                .isInstanceOf(CorruptionException.class)
                .hasMessageStartingWith("table web, rows up to m: METADATA row ");
        assertThatThrownBy(() -> table.apply(put("g")))
                .isInstanceOfSatisfying(CorruptionException.class, failure -> assertThat(failure.outcome())
                        .isEqualTo(Outcome.NOT_APPLIED))
                .hasMessageStartingWith("table web, rows up to m: METADATA row ");
        assertThatThrownBy(() -> table.tablets())
                .isInstanceOf(CorruptionException.class)
                .hasMessageStartingWith("table web: rows up to m: METADATA row ");
        assertThatThrownBy(() -> bigtable.admin().history("web", Bytes.utf8("g")))
                .isInstanceOf(CorruptionException.class)
                .hasMessageStartingWith("table web: rows up to m: METADATA row ");
    }

    @Test
    void writesToItDoNotFailThoseToOtherTablets() throws Exception {
        List<Written> written = table.applyAll(List.of(put("g"), put("a"), put("h"), put("z")));
        assertThat(written.get(0).failure()).containsInstanceOf(CorruptionException.class);
        assertThat(written.get(1).failure()).isEmpty();
        assertThat(written.get(2).failure()).containsInstanceOf(CorruptionException.class);
        assertThat(written.get(3).failure()).isEmpty();
        assertThat(table.read(Bytes.utf8("z"))).isPresent();
    }

    private static RowMutation put(String row) {
        return RowMutation.of(row).set("f", "q", "value").build();
    }

    /** METADATA's last tablet, which has the rows of tables, is on the second host. */
    private void damage(TabletId id) throws Exception {
        RowMutation mutation = RowMutation.of(MetadataKeys.of(id))
                .set(MetadataSchema.BEFORE_COLUMN, 1_000_000, Bytes.EMPTY)
                .build();
        Write write = new Write(mutation, new WriteId(5, 1, 1), Optional.empty());
        Request.Mutate request = new Request.Mutate(TableSchema.METADATA_ID, List.of(write));
        cluster.send(MemoryCluster.address(2), request, 1_000).get();
    }
}
