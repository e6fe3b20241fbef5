package bt.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.client.Admin;
import bt.client.Bigtable;
import bt.client.Operation;
import bt.client.Table;
import bt.coord.Paths;
import bt.coord.SmallFile;
import bt.doctor.Doctor;
import bt.doctor.DoctorConfig;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataTable;
import bt.model.GcRule;
import bt.model.RowMutation;
import bt.model.RowRange;
import bt.model.TableSchema;
import bt.protocol.Address;
import bt.protocol.Request;
import bt.record.Phase;
import bt.record.UnloadTablet;
import bt.testing.Faults.Failure;
import bt.testing.Faults.Fault;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A table whose file in the lock service is damaged is left as it is; all others go on. */
class DamagedTableSimTest {
    private static final String FILE = Paths.table(1);

    private final SimCluster cluster = new SimCluster(17, 1 << 20);
    private final Doctor.Ports ports = cluster.ports();
    private final MetadataTable metadata =
            new MetadataTable(ports.network(), ports.locks(), ports.scheduler(), ports.random());

    @Test
    void aDamagedFileIsNamedAndStopsItsOwnTableAlone() {
        cluster.startMaster();
        String dead = cluster.startServer();
        cluster.run(Duration.ofMinutes(60), () -> {
            try (Bigtable client = cluster.client()) {
                fill(client, "damaged");
                fill(client, "sound");
                Bytes content = ports.locks().read(FILE).orElseThrow().content();
                write(Bytes.utf8("no table"));
                cluster.kill(dead);
                cluster.startServer();
                pause(60);
                try (Bigtable late = cluster.client("late")) {
                    assertThat(late.table("sound").read(Bytes.utf8("r"))).isPresent();
                    assertThatThrownBy(() -> late.table("damaged"))
                            .isInstanceOf(CorruptionException.class)
                            .hasMessageContaining(FILE);
                    assertThat(late.admin().tables())
                            .extracting(TableSchema::name)
                            .containsExactly("sound");
                    assertThat(late.admin().droppedTables()).isEmpty();
                    assertThat(late.admin().clusterStatus().problems()).anyMatch(problem -> problem.contains(FILE));
                }
                assertThat(row().location().getPhase()).isEqualTo(Phase.SERVING);
                assertThat(new Doctor(DoctorConfig.DEFAULT, ports).examine().findings())
                        .anyMatch(finding -> finding.toString().contains(FILE));

                write(content);
                pause(60);
                assertThat(client.table("damaged").read(Bytes.utf8("r"))).isPresent();
                assertThat(client.admin().clusterStatus().problems()).isEmpty();
                Checkup.of(ports);
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    /** Which no other server could load. */
    @Test
    void aDrainAndAMoveLeaveItsTabletsServed() {
        cluster.startMaster();
        String first = cluster.startServer();
        cluster.run(Duration.ofMinutes(60), () -> {
            try (Bigtable client = cluster.client()) {
                fill(client, "damaged");
                fill(client, "sound");
                Table damaged = client.table("damaged");
                Bytes content = ports.locks().read(FILE).orElseThrow().content();
                write(Bytes.utf8("no table"));
                String second = cluster.startServer();
                pause(30);
                assertThat(client.admin().drainServer(at(first))).isEqualTo(1);
                assertThat(row().location().getAddress()).isEqualTo(at(first));
                assertThat(damaged.read(Bytes.utf8("r"))).isPresent();
                assertThatThrownBy(() -> client.admin().moveTablet("damaged", Bytes.utf8("r"), at(second)))
                        .isInstanceOf(CorruptionException.class)
                        .hasMessageContaining(FILE);
                assertThat(client.table("sound").tablets().get(0).server()).contains(at(second));
                client.admin().undrainServer(at(first));

                write(content);
                pause(30);
                assertThat(client.admin().drainServer(at(first))).isZero();
                assertThat(row().location().getAddress()).isEqualTo(at(second));
                assertThat(damaged.read(Bytes.utf8("r"))).isPresent();
                Checkup.of(ports);
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    @Test
    void aServerThatEndsDoesNotWaitForThem() {
        cluster.startMaster();
        String first = cluster.startServer();
        cluster.run(Duration.ofMinutes(60), () -> {
            try (Bigtable client = cluster.client()) {
                fill(client, "damaged");
                fill(client, "sound");
                Bytes content = ports.locks().read(FILE).orElseThrow().content();
                write(Bytes.utf8("no table"));
                cluster.startServer();
                pause(5);
                cluster.stop(first);
                pause(15);
                assertThat(cluster.servers()).doesNotContain(first);
                assertThat(client.table("sound").read(Bytes.utf8("r"))).isPresent();

                write(content);
                pause(30);
                assertThat(client.table("damaged").read(Bytes.utf8("r"))).isPresent();
                assertThat(cluster.replayedLogs()).isEmpty();
                Checkup.of(ports);
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    /** Which nobody is asked for: who ended for it would leave all others, and nobody could load this one. */
    @Test
    void aTabletOfItThatItsServerHasLostIsToldOf() {
        cluster.startMaster();
        String first = cluster.startServer();
        cluster.run(Duration.ofMinutes(60), () -> {
            try (Bigtable client = cluster.client()) {
                fill(client, "damaged");
                fill(client, "sound");
                Bytes content = ports.locks().read(FILE).orElseThrow().content();
                long epoch = client.admin().clusterStatus().masterEpoch();
                write(Bytes.utf8("no table"));
                pause(15);
                MetadataRow served = row();
                Request giveUp = new Request.Control(new UnloadTablet(epoch, 1L, null, true, null));
                ports.scheduler().await(ports.network().send(new Address(first, 1), giveUp, 60_000), 60_000);
                MetadataRow left = row();
                assertThat(left.location().getPhase()).isEqualTo(Phase.UNASSIGNED);
                MetadataRow unused = metadata.replace(left, served.location(), left.state(), "lost");
                pause(30);
                assertThat(client.admin().clusterStatus().unassigned()).isOne();
                assertThat(cluster.servers()).containsExactly(first);

                write(content);
                cluster.startServer();
                pause(60);
                assertThat(client.table("damaged").read(Bytes.utf8("r"))).isPresent();
                assertThat(client.table("sound").read(Bytes.utf8("r"))).isPresent();
                assertThat(client.admin().clusterStatus().unassigned()).isZero();
                assertThat(cluster.servers()).doesNotContain(first);
                Checkup.of(ports);
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    /** What was begun on a table that is truncated does not stand for what is begun on the one in its place. */
    @Test
    void workOnATruncatedTableEndsAndThatOnADamagedOneDoesNot() {
        cluster.startMaster();
        cluster.startServer();
        cluster.run(Duration.ofMinutes(60), () -> {
            try (Bigtable client = cluster.client()) {
                fill(client, "damaged");
                fill(client, "sound");
                Admin admin = client.admin();
                Bytes content = ports.locks().read(FILE).orElseThrow().content();
                cluster.setFileFaults((operation, path) -> operation == FileOperation.CREATE && path.startsWith("data/")
                        ? new Fault(0, Failure.INSTEAD)
                        : Faults.NONE);
                for (String table : List.of("damaged", "sound")) {
                    Operation begun = admin.startCompaction(table, RowRange.ALL);
                    assertThat(begun.isDone()).isFalse();
                }
                write(Bytes.utf8("no table"));
                TableSchema empty = admin.truncateTable("sound");
                pause(30);
                assertThat(admin.operations()).extracting(Operation::id).containsExactly("compaction/damaged");
                cluster.setFileFaults((operation, path) -> Faults.NONE);
                admin.awaitOperation(
                        admin.startCompaction(empty.name(), RowRange.ALL).id(), 600_000, progress -> {});

                cluster.startMaster();
                pause(5);
                cluster.crashActiveMaster();
                pause(30);
                write(content);
                admin.awaitOperation("compaction/damaged", 600_000, progress -> {});
                assertThat(client.table("damaged").read(Bytes.utf8("r"))).isPresent();
                Checkup.of(ports);
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    private static void fill(Bigtable client, String name) throws BigtableException {
        client.admin()
                .createTable(
                        TableSchema.draft(name).family("f", GcRule.KEEP_ALL).build(), List.of());
        client.table(name).apply(RowMutation.of("r").set("f", "q", "value").build());
        client.admin().flush(name);
    }

    private static String at(String server) {
        return new Address(server, 1).toString();
    }

    private void write(Bytes content) throws BigtableException {
        SmallFile file = ports.locks().read(FILE).orElseThrow();
        ports.locks().write(FILE, content, file.version());
    }

    private MetadataRow row() throws BigtableException, InterruptedException {
        return metadata.scan(1, 1).get(0);
    }

    private void pause(long seconds) throws InterruptedException {
        cluster.scheduler().pause(seconds * 1_000);
    }
}
