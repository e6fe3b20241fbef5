package bt.testing;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.Scheduler.Worker;
import bt.client.Table;
import bt.master.MasterConfig;
import bt.model.ColumnKey;
import bt.model.Counter;
import bt.model.GcRule;
import bt.model.TableSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Threads that all change one row: nothing is added twice and nothing is lost, whoever dies. */
class TransactionSimTest {
    private static final TableSchema DRAFT =
            TableSchema.draft("t").family("f", new GcRule.MaxVersions(1)).build();
    private static final Bytes ROW = Bytes.utf8("r");
    private static final ColumnKey COUNT = ColumnKey.of("f", "count");
    private static final ColumnKey TEXT = ColumnKey.of("f", "text");

    /** What was acknowledged, and what may have happened. The threads of a simulation run one at a time. */
    private int acknowledged;

    private int unknown;

    @SeededTest(runs = 10)
    void everyStepOfACounterIsMadeOnce(RandomGenerator random) {
        ClusterStory.tell(random, MasterConfig.DEFAULT, DRAFT, List.of(), (cluster, client) -> {
            Table table = client.table("t");
            cluster.setFaults(new SimFaults(100, 5_000, 0.01, 0.02, 0.01));
            List<Worker> clients = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                clients.add(cluster.scheduler().start("client-" + i, () -> work(table)));
            }
            cluster.scheduler().pause(200 + random.nextInt(1_000));
            cluster.crashOneServer();
            String unused = cluster.startServer();
            for (Worker worker : clients) {
                assertThat(worker.join(1_200_000)).isTrue();
            }
            cluster.setFaults(SimFaults.NONE);
            long count = table.read(ROW)
                    .flatMap(row -> row.value(COUNT))
                    .map(Counter::decode)
                    .orElse(0L);
            assertThat(count).isBetween((long) acknowledged, (long) acknowledged + unknown);
            assertThat(acknowledged).isPositive();
        });
    }

    /** Two ways to add one, which see each other. */
    private void work(Table table) {
        for (int i = 0; i < 8; i++) {
            int step = i;
            try {
                if (step % 2 == 0) {
                    long unused = table.increment(ROW, COUNT, 1);
                } else {
                    table.transact(ROW, tx -> {
                        long count = tx.value(COUNT).map(Counter::decode).orElse(0L);
                        return tx.set(COUNT, Counter.encode(count + 1)).set(TEXT, Bytes.utf8("step " + step));
                    });
                }
                acknowledged++;
            } catch (BigtableException failed) {
                unknown += failed.outcome() == Outcome.UNKNOWN ? 1 : 0;
            }
        }
    }
}
