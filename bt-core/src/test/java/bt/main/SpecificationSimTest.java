package bt.main;

import bt.client.Bigtable;
import bt.testing.SeededTest;
import bt.testing.SimCluster;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** The pages of the specification hold on a cluster in memory: a master and two servers in the simulator. */
class SpecificationSimTest {
    @SeededTest(runs = 3)
    void answersStayWhatTheyAreThroughFlushesCompactionsSplitsAndMoves(RandomGenerator random) {
        SimCluster cluster = new SimCluster(random.nextLong(), 1 << 15);
        cluster.startMaster();
        cluster.startServer();
        cluster.startServer();
        cluster.run(Duration.ofMinutes(60), () -> {
            try (Bigtable client = cluster.client()) {
                new SpecificationRun(client).run();
            } catch (Exception failed) {
                throw new AssertionError(failed);
            }
        });
    }
}
