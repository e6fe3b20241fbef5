package bt.client;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.metadata.MetadataKeys;
import bt.metadata.MetadataSchema;
import bt.model.GcRule;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.testing.SimCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A tablet's history is bounded. */
class HistorySimTest {
    private static final int KEPT = 100;
    private static final Bytes ROW = Bytes.utf8("row");

    @Test
    void itsCompactionsLeaveATabletItsCreationAndItsLoads() {
        tell(3, Duration.ofHours(3), (cluster, client) -> {
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
        });
    }

    /** Its row is none of METADATA's, and neither is its history. */
    @Test
    void theRootTabletHasAHistoryToo() {
        tell(4, Duration.ofHours(1), (cluster, client) -> {
            cluster.crashOneServer();
            String next = cluster.startServer();
            assertThat(client.table("t").read(ROW)).isEmpty();
            List<TabletEvent> events = client.admin().history("METADATA", MetadataKeys.of(MetadataSchema.LAST));
            assertThat(events)
                    .isNotEmpty()
                    .allMatch(event -> event.tablet().equals(MetadataSchema.ROOT))
                    .isSortedAccordingTo(Comparator.comparingLong(TabletEvent::micros))
                    .anyMatch(event -> event.what().startsWith("serving on " + next))
                    .allMatch(event -> event.micros() > 0);
            List<TabletEvent> all = new ArrayList<>();
            try (TabletEvents ofAll = client.admin().history("METADATA")) {
                for (Optional<TabletEvent> event = ofAll.next(); event.isPresent(); event = ofAll.next()) {
                    all.add(event.get());
                }
            }
            assertThat(all).startsWith(events.toArray(TabletEvent[]::new)).anyMatch(event -> event.tablet()
                    .equals(MetadataSchema.LAST));
        });
    }

    private interface Story {
        void tell(SimCluster cluster, Bigtable client) throws BigtableException, InterruptedException;
    }

    /** Of a table in a cluster with one server. */
    private static void tell(long seed, Duration atMost, Story story) {
        SimCluster cluster = new SimCluster(seed, 1 << 20);
        cluster.startMaster();
        cluster.startServer();
        cluster.run(atMost, () -> {
            try (Bigtable client = cluster.client()) {
                client.admin()
                        .createTable(
                                TableSchema.draft("t")
                                        .family("f", GcRule.KEEP_ALL)
                                        .build(),
                                List.of());
                story.tell(cluster, client);
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }
}
