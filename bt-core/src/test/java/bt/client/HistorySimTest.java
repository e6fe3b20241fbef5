package bt.client;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.model.GcRule;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.testing.SimCluster;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A tablet's history is bounded. */
class HistorySimTest {
    private static final int KEPT = 100;
    private static final Bytes ROW = Bytes.utf8("row");

    @Test
    void itsCompactionsLeaveATabletItsCreationAndItsLoads() {
        SimCluster cluster = new SimCluster(3, 1 << 20);
        cluster.startMaster();
        cluster.startServer();
        cluster.run(Duration.ofHours(3), () -> {
            try (Bigtable client = cluster.client()) {
                client.admin()
                        .createTable(
                                TableSchema.draft("t")
                                        .family("f", GcRule.KEEP_ALL)
                                        .build(),
                                List.of());
                for (int i = 0; i < KEPT + 10; i++) {
                    client.table("t")
                            .apply(RowMutation.of("row").set("f", "q" + i, "v").build());
                    client.admin().flush("t");
                }
                List<String> events = client.admin().history("t", ROW).stream()
                        .map(TabletEvent::what)
                        .toList();
                assertThat(events.get(0)).isEqualTo("created");
                assertThat(events).anyMatch(event -> event.startsWith("serving on "));
                assertThat(events.stream().filter(event -> event.contains("compaction")))
                        .hasSize(KEPT);
                assertThat(events.get(events.size() - 1)).contains("compaction");
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }
}
