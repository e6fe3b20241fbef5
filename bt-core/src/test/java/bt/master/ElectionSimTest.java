package bt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.RejectedException;
import bt.client.Bigtable;
import bt.coord.Paths;
import bt.coord.SmallFile;
import bt.metadata.ProcessFiles;
import bt.model.GcRule;
import bt.model.TableSchema;
import bt.protocol.Address;
import bt.protocol.Request;
import bt.record.MasterFile;
import bt.record.UnloadTablet;
import bt.testing.CrashPoint;
import bt.testing.Faults;
import bt.testing.Faults.Failure;
import bt.testing.Faults.Fault;
import bt.testing.SeededTest;
import bt.testing.SimCluster;
import bt.testing.SimFaults;
import bt.testing.SimLockService;
import bt.testing.SimScheduler;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class ElectionSimTest {
    private static final TableSchema DRAFT =
            TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build();

    /** Who has the lock, and cannot write his name beside it, does not keep everybody waiting for a master. */
    @SeededTest(runs = 20)
    void aCandidateWhoseProclamationFailsStandsAgain(RandomGenerator random) {
        SimScheduler scheduler = new SimScheduler(random.nextLong());
        SimLockService locks = new SimLockService(scheduler);
        locks.setFaults(new SimFaults(100, 5_000, 0.2, 0.2, 0));
        scheduler.run(Duration.ofMinutes(60), () -> {
            Election election =
                    new Election(locks.session("test", 6_000), scheduler, new Address("master", 1), "nonce");
            assertThat(election.win().epoch()).isPositive();
        });
    }

    /** As a NameNode that starts again: the next candidate would fare no better. */
    @Test
    void whoIsElectedWhileFilesCannotBeReadRulesWhenTheyCan() {
        SimCluster cluster = new SimCluster(3, 1 << 20);
        cluster.startServer();
        cluster.setFileFaults((operation, path) ->
                path.equals(Bootstrap.INSTANCE_FILE) ? new Fault(0, Failure.INSTEAD) : Faults.NONE);
        cluster.startMaster();
        List<String> masters = cluster.masters();
        cluster.run(Duration.ofMinutes(10), () -> {
            try (Bigtable client = cluster.client()) {
                cluster.ports().scheduler().pause(30_000);
                assertThat(cluster.masters()).isEqualTo(masters);
                cluster.setFileFaults((operation, path) -> Faults.NONE);
                client.admin().createTable(DRAFT, List.of());
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    /** Else it would stand in the file for the one who rules, as long as that rules. */
    @SeededTest(runs = 5)
    void whoStandsStillWithTheLockAndIsFollowedDoesNotSayThatItRules(RandomGenerator random) {
        SimCluster cluster = new SimCluster(random.nextLong(), 1 << 20);
        cluster.standStillAt(CrashPoint.AFTER_LOCK, 1);
        cluster.startMaster();
        cluster.run(Duration.ofMinutes(10), () -> {
            cluster.scheduler().pause(5_000);
            cluster.startMaster();
            String second = cluster.masters().get(1);
            cluster.startServer();
            try (Bigtable client = cluster.client()) {
                client.admin().createTable(DRAFT, List.of());
                // Until the first has gone on.
                cluster.scheduler().pause(60_000);
                assertThat(address(cluster)).isEqualTo(new Address(second, 1));
                assertThat(cluster.masters()).hasSize(2);
                cluster.kill(second);
                client.admin().dropTable("t");
                assertThat(cluster.masters()).hasSize(1);
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    private static Address address(SimCluster cluster) throws BigtableException {
        return ProcessFiles.master(cluster.ports().locks().read(Paths.MASTER).orElseThrow());
    }

    /** As long as it ruled on, nobody would find a master. */
    @SeededTest(runs = 5)
    void aMasterThatNobodyIsSentToEnds(RandomGenerator random) {
        SimCluster cluster = new SimCluster(random.nextLong(), 1 << 20);
        cluster.startServer();
        cluster.startMaster();
        cluster.run(Duration.ofMinutes(10), () -> {
            try (Bigtable client = cluster.client()) {
                client.admin().createTable(DRAFT, List.of());
                cluster.startMaster();
                SmallFile file = cluster.ports().locks().read(Paths.MASTER).orElseThrow();
                cluster.ports()
                        .locks()
                        .write(Paths.MASTER, AvroBytes.encode(new MasterFile("ghost:1", "ghost")), file.version());
                cluster.scheduler().pause(15_000);
                assertThat(cluster.masters()).hasSize(1);
                assertThat(address(cluster))
                        .isEqualTo(new Address(cluster.masters().get(0), 1));
                client.admin().dropTable("t");
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    /** It cannot be told by whoever follows it: it must find that out by itself, and soon. */
    @SeededTest(runs = 5)
    void aMasterWhoseSessionExpiresEndsItselfAndNobodyObeysItAnyMore(RandomGenerator random) {
        SimCluster cluster = new SimCluster(random.nextLong(), 1 << 20);
        String server = cluster.startServer();
        cluster.startMaster();
        cluster.run(Duration.ofMinutes(10), () -> {
            try (Bigtable client = cluster.client()) {
                client.admin().createTable(DRAFT, List.of());
                long epoch = client.admin().clusterStatus().masterEpoch();
                String first = cluster.masters().get(0);
                cluster.startMaster();
                String second = cluster.masters().get(1);
                cluster.ports().scheduler().pause(random.nextLong(5_000));

                cluster.expireSession(first);
                cluster.ports().scheduler().pause(1_500);
                assertThat(cluster.masters()).containsExactly(second);
                while (client.admin().clusterStatus().masterEpoch() == epoch) {
                    cluster.ports().scheduler().pause(100);
                }
                Request late = new Request.Control(new UnloadTablet(epoch, 1L, null, true, null));
                assertThatThrownBy(() -> cluster.ports()
                                .scheduler()
                                .await(cluster.ports().network().send(new Address(server, 1), late, 5_000), 6_000))
                        .isInstanceOf(RejectedException.class)
                        .hasMessageContaining(
                                "a master of epoch " + epoch + " commands, but one of epoch " + (epoch + 1));
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }
}
