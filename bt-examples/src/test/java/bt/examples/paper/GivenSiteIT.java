package bt.examples.paper;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.RejectedException;
import bt.client.Admin;
import bt.main.MiniBigtable;
import bt.model.GcRule;
import bt.model.TableSchema;
import bt.model.TableSchema.Durability;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The bench at a cluster that runs anyway: with little room for what is to be in memory, and without HDFS. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GivenSiteIT {
    private static final int ROWS = 10_000;
    private static final Load LOAD = new Load(ROWS, 2, 1, Durability.SYNC, 1, 0, 0);
    private static final Map<String, String> SETTINGS = Map.of(
            "tabletserver.inmemory.bytes",
            "100000",
            "tabletserver.flush.bytes",
            "2000000",
            "tabletserver.memtables.bytes",
            "5000000");

    private final PrintStream unheard = new PrintStream(OutputStream.nullOutputStream(), true, UTF_8);

    @TempDir
    private Path directory;

    private MiniBigtable cluster;

    @BeforeAll
    void start() throws Exception {
        cluster = MiniBigtable.start(SETTINGS);
    }

    @AfterAll
    void stop() {
        cluster.close();
    }

    @Test
    void aTableOfSomebodyIsNotDropped() throws Exception {
        Admin admin = cluster.bigtable().admin();
        TableSchema theirs = TableSchema.draft("paper_files")
                .family("theirs", new GcRule.MaxVersions(1))
                .build();
        admin.createTable(theirs, List.of());
        GivenSite site = new GivenSite(cluster.at());

        assertThat(site.serverCount()).isOne();
        assertThatThrownBy(() -> new Measurement(site, LOAD, directory, unheard))
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining("bt drop paper_files");
        assertThat(admin.tables()).extracting(TableSchema::name).containsExactly("paper_files");
        admin.dropTable("paper_files");
    }

    @Test
    void whatThisClusterCannotShowIsNotMeasured() throws Exception {
        try (Measurement measurement =
                new Measurement(new GivenSite(cluster.at()), LOAD, directory.resolve("clients"), unheard)) {
            Measured written = measurement.run(Workload.SEQUENTIAL_WRITE_BATCHED);
            // Ten megabytes, with a warm-up before: what memory does not hold. Flushes follow at a pace of their own.
            assertThat(written.window().orElseThrow().flushes()).isBetween(1L, 12L);
            assertThat(written.window().orElseThrow().logBytes()).isBetween(ROWS * 1_000L, ROWS * 1_200L);
            assertThat(written.operations()).isEqualTo(ROWS);
            assertThat(written.callers()).isEqualTo(2);

            assertThatThrownBy(() -> measurement.run(Workload.RANDOM_READ_MEM))
                    .isInstanceOf(NotMeasured.class)
                    .hasMessageContaining("tabletserver.inmemory.bytes");
            assertThatThrownBy(() -> measurement.run(Workload.RANDOM_READ_TCP))
                    .isInstanceOf(NotMeasured.class)
                    .hasMessageContaining("not the bench's own");
            assertThatThrownBy(() -> measurement.run(Baseline.READ_PIECE)).isInstanceOf(NotMeasured.class);

            assertThat(cluster.bigtable().admin().tables())
                    .extracting(TableSchema::durability)
                    .hasSize(1)
                    .containsOnly(Durability.SYNC);
        }
        assertThat(cluster.bigtable().admin().tables()).isEmpty();
    }
}
