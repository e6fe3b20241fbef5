package bt.master;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.client.Bigtable;
import bt.model.GcRule;
import bt.model.TableSchema;
import bt.protocol.Address;
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
                client.admin()
                        .createTable(
                                TableSchema.draft("t")
                                        .family("f", GcRule.KEEP_ALL)
                                        .build(),
                                List.of());
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }
}
