package bt.examples.paper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.RejectedException;
import bt.main.MiniBigtable;
import bt.model.GcRule;
import bt.model.TableSchema;
import bt.model.TableSchema.Durability;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bench at a cluster that runs anyway. */
class GivenSiteIT {
    private static final Measurement.Load LOAD = new Measurement.Load(100, 1, 1, Durability.FLUSH, 1, 0, 0);

    @Test
    void aTableOfSomebodyIsNotDropped(@TempDir Path directory) throws Exception {
        try (MiniBigtable cluster = MiniBigtable.start()) {
            TableSchema theirs = TableSchema.draft("paper_files")
                    .family("theirs", new GcRule.MaxVersions(1))
                    .build();
            cluster.bigtable().admin().createTable(theirs, List.of());
            GivenSite site = new GivenSite(cluster.at());

            assertThat(site.serverCount()).isOne();
            assertThatThrownBy(() -> new Measurement(site, LOAD, directory, System.err))
                    .isInstanceOf(RejectedException.class)
                    .hasMessageContaining("bt drop paper_files");
            assertThat(cluster.bigtable().admin().tables())
                    .extracting(TableSchema::name)
                    .containsExactly("paper_files");
        }
    }
}
