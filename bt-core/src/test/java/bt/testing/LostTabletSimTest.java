package bt.testing;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Bytes;
import bt.client.Bigtable;
import bt.coord.Paths;
import bt.coord.SmallFile;
import bt.doctor.Doctor;
import bt.doctor.DoctorConfig;
import bt.doctor.Finding;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataSchema;
import bt.metadata.MetadataTable;
import bt.metadata.TableFile;
import bt.model.GcRule;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.protocol.Address;
import bt.protocol.Request;
import bt.record.Phase;
import bt.record.TablePhase;
import bt.record.TableRecord;
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
        live(random, (cluster, client) -> {
            String server = holder(cluster, KEPT);
            lose(cluster, client, LOST, true);
            assertThat(findings(cluster)).anyMatch(fact -> fact.endsWith("which does not have it"));
            assertServedByOthers(cluster, client, server);
        });
    }

    @SeededTest(runs = 5)
    void soItHasATabletOfMetadata(RandomGenerator random) {
        live(random, (cluster, client) -> {
            String server = holder(cluster, KEPT);
            lose(cluster, client, MetadataSchema.LAST, true);
            assertServedByOthers(cluster, client, server);
        });
    }

    @SeededTest(runs = 5)
    void soItHasTheRootTablet(RandomGenerator random) {
        live(random, (cluster, client) -> {
            String server = holder(cluster, KEPT);
            lose(cluster, client, MetadataSchema.ROOT, true);
            assertServedByOthers(cluster, client, server);
        });
    }

    /** Its table is dropped before anybody has noticed: what it had acknowledged is in the log of its server alone. */
    @SeededTest(runs = 5)
    void whatItHadComesBackWithItsTable(RandomGenerator random) {
        live(random, (cluster, client) -> {
            String server = holder(cluster, KEPT);
            lose(cluster, client, LOST, false);
            drop(cluster);
            cluster.startMaster();
            cluster.startServer();
            Doctor.Ports ports = cluster.ports();
            for (int i = 0; row(cluster, LOST).location().getPhase() != Phase.UNASSIGNED; i++) {
                assertThat(i).as("seconds").isLessThan(120);
                ports.scheduler().pause(1_000);
            }
            client.admin().undeleteTable("lost");
            assertThat(client.table("lost").read(ROW)).isPresent();
            assertThat(client.table("kept").read(ROW)).isPresent();
            assertThat(cluster.servers()).doesNotContain(server);
            assertThat(findings(cluster)).isEmpty();
        });
    }

    private interface Story {
        void tell(SimCluster cluster, Bigtable client) throws BigtableException, InterruptedException;
    }

    /** One server, with a tablet of each of two tables. */
    private static void live(RandomGenerator random, Story story) {
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
                story.tell(cluster, client);
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    private static void assertServedByOthers(SimCluster cluster, Bigtable client, String server)
            throws BigtableException, InterruptedException {
        cluster.startMaster();
        cluster.startServer();
        // Clients know where the tables' tablets are, and would not miss METADATA.
        for (int i = 0; cluster.servers().contains(server); i++) {
            assertThat(i).as("seconds").isLessThan(60);
            cluster.scheduler().pause(1_000);
        }
        assertThat(client.table("lost").read(ROW)).isPresent();
        assertThat(client.table("kept").read(ROW)).as("was in the log alone").isPresent();
        assertThat(findings(cluster)).isEmpty();
    }

    /** The server gives it up as it is asked to, and METADATA takes that back, while nobody rules. */
    private static void lose(SimCluster cluster, Bigtable client, TabletId lost, boolean flush)
            throws BigtableException, InterruptedException {
        MetadataRow served = row(cluster, lost);
        UnloadTablet giveUp = new UnloadTablet(
                client.admin().clusterStatus().masterEpoch(),
                lost.tableId(),
                AvroBytes.buffer(lost.endRow()),
                flush,
                null);
        cluster.kill(cluster.masters().get(0));
        Doctor.Ports ports = cluster.ports();
        Address holder = Address.parse(served.location().getAddress());
        ports.scheduler().await(ports.network().send(holder, new Request.Control(giveUp), 60_000), 60_000);
        MetadataRow left = row(cluster, lost);
        assertThat(left.location().getPhase()).isEqualTo(Phase.UNASSIGNED);
        TabletLocation before = TabletLocation.newBuilder(served.location()).build();
        MetadataRow unused = metadata(cluster).replace(left, before, left.state(), "lost");
    }

    /** As the master does. */
    private static void drop(SimCluster cluster) throws BigtableException {
        Doctor.Ports ports = cluster.ports();
        String path = Paths.table(LOST.tableId());
        SmallFile file = ports.locks().read(path).orElseThrow();
        TableRecord active = TableFile.decode(path, file.content());
        TableRecord dropped = TableRecord.newBuilder(active)
                .setVersion(active.getVersion() + 1)
                .setPhase(TablePhase.DROPPED)
                .setDroppedMicros(ports.scheduler().clock().micros())
                .build();
        ports.locks().write(path, TableFile.encode(dropped), file.version());
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
