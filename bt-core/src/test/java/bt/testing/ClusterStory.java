package bt.testing;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.client.Bigtable;
import bt.master.MasterConfig;
import bt.model.TableSchema;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/** What a test does with a simulated cluster of two masters and two servers in which there is one table. */
@FunctionalInterface
interface ClusterStory {
    void run(SimCluster cluster, Bigtable client) throws BigtableException, InterruptedException;

    /** From a seed that the generator draws; an hour of simulated time at most. */
    static void tell(
            RandomGenerator random, MasterConfig config, TableSchema table, List<Bytes> splits, ClusterStory story) {
        SimCluster cluster = new SimCluster(random.nextLong(), 1 << 12);
        cluster.mastersAre(config);
        cluster.startMaster();
        cluster.startMaster();
        cluster.startServer();
        cluster.startServer();
        cluster.run(Duration.ofMinutes(60), () -> {
            try (Bigtable client = cluster.client()) {
                client.admin().createTable(table, splits);
                story.run(cluster, client);
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }
}
