package bt.thrift.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.Bytes;
import bt.base.RejectedException;
import bt.client.Bigtable;
import bt.client.Table;
import bt.model.Filter;
import bt.model.GcRule;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.protocol.Request;
import bt.testing.ManualClock;
import bt.testing.MemoryCluster;
import bt.testing.MemoryCluster.Fate;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rows of a table of three tablets, each of which takes a request. */
class NamedRowsTest {
    private static final List<Bytes> KEYS = List.of(Bytes.utf8("z"), Bytes.utf8("a"), Bytes.utf8("k"));
    private static final long TABLE = 4;

    private final ManualClock clock = new ManualClock(0);
    private MemoryCluster cluster;
    private Bigtable bigtable;
    private Table table;

    @BeforeEach
    void start() throws Exception {
        cluster = new MemoryCluster();
        TableSchema draft = TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build();
        cluster.table(TABLE, draft, List.of(Bytes.utf8("h"), Bytes.utf8("p")), 3);
        bigtable = Bigtable.over(cluster, cluster.locks, cluster.scheduler);
        table = bigtable.table("t");
        for (Bytes row : KEYS) {
            table.apply(RowMutation.of(row).set("f", "q", "v").build());
        }
    }

    @AfterEach
    void stop() {
        bigtable.close();
        cluster.close();
    }

    @Test
    void theyAreLookedThroughForAMinute() throws Exception {
        answersTake(29);
        NamedRows rows = new NamedRows(new AnswerRoom(1_000_000), clock);
        assertThat(rows.read(table, KEYS, Filter.ALL))
                .extracting(row -> Bytes.copyOf(row.getKey()))
                .isEqualTo(KEYS);

        answersTake(31);
        assertThatThrownBy(() -> rows.read(table, KEYS, Filter.ALL))
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining("3 rows from z were not looked through within 60 s");
    }

    private void answersTake(int seconds) {
        cluster.fates((to, request) -> {
            if (request instanceof Request.Scan scan && scan.tableId() == TABLE) {
                clock.set(clock.micros() + seconds * 1_000_000L);
            }
            return Fate.DELIVERED;
        });
    }
}
