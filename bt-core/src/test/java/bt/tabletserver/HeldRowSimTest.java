package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.RejectedException;
import bt.client.Bigtable;
import bt.doctor.Doctor;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataTable;
import bt.model.GcRule;
import bt.model.TableSchema;
import bt.protocol.Address;
import bt.record.Phase;
import bt.testing.SimCluster;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Who may say in METADATA that a tablet is served. */
class HeldRowSimTest {
    private static final TableSchema DRAFT =
            TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build();
    private static final Identity SELF = new Identity("a server", Address.parse("somewhere:1"), 1L << 40);

    private final SimCluster cluster = new SimCluster(5, 1 << 20);
    private final Doctor.Ports ports = cluster.ports();
    private final MetadataTable metadata =
            new MetadataTable(ports.network(), ports.locks(), ports.scheduler(), ports.random());

    @Test
    void ofTwoLoadsThatReadOneRowAtOneServerOneServes() {
        cluster.startMaster();
        cluster.startServer();
        cluster.run(Duration.ofMinutes(5), () -> {
            try {
                MetadataRow loading = loading();
                HeldRow first = new HeldRow(metadata, ports.scheduler(), SELF, loading);
                HeldRow second = new HeldRow(metadata, ports.scheduler(), SELF, loading);
                first.begin(UnaryOperator.identity(), "serving");
                assertThatThrownBy(() -> second.begin(UnaryOperator.identity(), "serving"))
                        .isInstanceOf(RejectedException.class);
                assertThat(metadata.scan(1, 1)).containsExactly(first.row());
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    /** A tablet's row that nobody changes but we: there is no master any more. */
    private MetadataRow loading() throws BigtableException, InterruptedException {
        try (Bigtable client = cluster.client()) {
            client.admin().createTable(DRAFT, List.of());
        }
        cluster.crashActiveMaster();
        MetadataRow row = metadata.scan(1, 1).get(0);
        return metadata.replace(row, SELF.location(Phase.LOADING), row.state(), "loading");
    }
}
