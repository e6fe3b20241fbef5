package bt.testing;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.client.Bigtable;
import bt.doctor.Doctor;
import bt.doctor.DoctorConfig;
import bt.doctor.Finding;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataTable;
import bt.model.GcRule;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.protocol.Address;
import bt.protocol.Request;
import bt.record.Phase;
import bt.record.TabletLocation;
import bt.record.UnloadTablet;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** A server that lives does not have a tablet of which METADATA says that it serves it. */
class LostTabletSimTest {
    private static final TabletId LOST = new TabletId(1, Optional.empty());
    private static final TabletId KEPT = new TabletId(2, Optional.empty());
    private static final Bytes ROW = Bytes.utf8("r");

    @SeededTest(runs = 10)
    void theDoctorTellsItAndTheMasterHasItServedAgain(RandomGenerator random) {
        SimCluster cluster = new SimCluster(random.nextLong(), 1 << 20);
        cluster.startMaster();
        cluster.startServer();
        cluster.run(Duration.ofMinutes(30), () -> {
            try (Bigtable client = cluster.client()) {
                for (String table : List.of("lost", "kept")) {
                    TableSchema draft = TableSchema.draft(table)
                            .family("f", GcRule.KEEP_ALL)
                            .build();
                    client.admin().createTable(draft, List.of());
                    client.table(table)
                            .apply(RowMutation.of(ROW).set("f", "q", "value").build());
                }
                String server = holder(cluster, KEPT);
                lose(cluster, client);
                assertThat(findings(cluster)).anyMatch(fact -> fact.endsWith("which does not have it"));

                cluster.startMaster();
                cluster.startServer();
                assertThat(client.table("lost").read(ROW)).isPresent();
                assertThat(client.table("kept").read(ROW))
                        .as("was in the log alone")
                        .isPresent();
                assertThat(cluster.servers()).doesNotContain(server);
                assertThat(findings(cluster)).isEmpty();
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    /** The server gives it up as it is asked to, and METADATA takes that back, while nobody rules. */
    private static void lose(SimCluster cluster, Bigtable client) throws BigtableException, InterruptedException {
        MetadataRow served = row(cluster, LOST);
        UnloadTablet giveUp =
                new UnloadTablet(client.admin().clusterStatus().masterEpoch(), LOST.tableId(), null, true, null);
        cluster.kill(cluster.masters().get(0));
        Doctor.Ports ports = cluster.ports();
        Address holder = Address.parse(served.location().getAddress());
        ports.scheduler().await(ports.network().send(holder, new Request.Control(giveUp), 60_000), 60_000);
        MetadataRow left = row(cluster, LOST);
        assertThat(left.location().getPhase()).isEqualTo(Phase.UNASSIGNED);
        TabletLocation before = TabletLocation.newBuilder(served.location()).build();
        MetadataRow unused = metadata(cluster).replace(left, before, left.state(), "lost");
    }

    private static String holder(SimCluster cluster, TabletId tablet) throws BigtableException, InterruptedException {
        return Address.parse(row(cluster, tablet).location().getAddress()).host();
    }

    private static MetadataRow row(SimCluster cluster, TabletId tablet) throws BigtableException, InterruptedException {
        return metadata(cluster).read(tablet).orElseThrow();
    }

    private static MetadataTable metadata(SimCluster cluster) {
        Doctor.Ports ports = cluster.ports();
        return new MetadataTable(ports.network(), ports.locks(), ports.scheduler(), ports.random());
    }

    private static List<String> findings(SimCluster cluster) throws BigtableException, InterruptedException {
        return new Doctor(DoctorConfig.DEFAULT, cluster.ports())
                .examine().findings().stream().map(Finding::fact).toList();
    }
}
