package bt.client;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.base.RejectedException;
import bt.model.ColumnKey;
import bt.model.GcRule;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.testing.MemoryCluster;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WriteRoundsTest {
    private static final TableSchema DRAFT =
            TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build();
    private static final ColumnKey TEXT = ColumnKey.of("f", "q");

    private MemoryCluster cluster;
    private Bigtable bigtable;
    private Table table;

    @BeforeEach
    void start() throws Exception {
        cluster = new MemoryCluster();
        cluster.table(4, DRAFT, List.of(Bytes.utf8("r4")), 2);
        bigtable = Bigtable.over(cluster, cluster.locks, cluster.scheduler);
        table = bigtable.table("t");
    }

    @AfterEach
    void stop() {
        bigtable.close();
        cluster.close();
    }

    @Test
    void severalMutationsAreAppliedEachByItselfAndThoseOfARowInTheirOrder() throws Exception {
        List<RowMutation> mutations = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            RowMutation.Builder mutation = RowMutation.of("r" + i % 1_100);
            boolean isCounter = i % 1_000 == 7;
            mutations.add(
                    (isCounter ? mutation.increment(TEXT, 1) : mutation.append(TEXT, Bytes.utf8(i + " "))).build());
        }

        List<Written> written = table.applyAll(mutations);

        for (int i = 0; i < 3_000; i++) {
            // The first finds nothing yet, which is a counter.
            assertThat(written.get(i).failure().isPresent()).isEqualTo(i % 1_000 == 7 && i > 1_100);
        }
        assertThat(written.get(2_007).failure()).containsInstanceOf(RejectedException.class);
        assertThat(table.read(Bytes.utf8("r5")).orElseThrow().value(TEXT)).contains(Bytes.utf8("5 1105 2205 "));
        assertThat(written.get(2205).answer()).isEqualTo("5 1105 2205 ".length());
    }

    @Test
    void ofNoneNothingBecomes() throws Exception {
        assertThat(table.applyAll(List.of())).isEmpty();
    }
}
