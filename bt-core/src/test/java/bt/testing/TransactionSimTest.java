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
import bt.model.Row;
import bt.model.RowMutation;
import bt.model.TableSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** Threads that all change one row: nothing is added twice and nothing is lost, whoever dies. */
class TransactionSimTest {
    private static final TableSchema DRAFT =
            TableSchema.draft("t").family("f", new GcRule.MaxVersions(1)).build();
    private static final Bytes ROW = Bytes.utf8("r");
    private static final ColumnKey COUNT = ColumnKey.of("f", "count");
    private static final ColumnKey STEPS = ColumnKey.of("f", "steps");

    /** The names of the steps that were acknowledged. The threads of a simulation run one at a time. */
    private final List<String> acknowledged = new ArrayList<>();

    private final List<String> notApplied = new ArrayList<>();

    @SeededTest(runs = 10)
    void everyStepOfACounterIsMadeOnce(RandomGenerator random) {
        ClusterStory.tell(random, MasterConfig.DEFAULT, DRAFT, List.of(), (cluster, client) -> {
            Table table = client.table("t");
            cluster.setFaults(new SimFaults(100, 5_000, 0.01, 0.02, 0.01));
            List<Worker> clients = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                String name = "client-" + i;
                clients.add(cluster.scheduler().start(name, () -> work(table, name)));
            }
            cluster.scheduler().pause(200 + random.nextInt(1_000));
            cluster.crashOneServer();
            String unused = cluster.startServer();
            for (Worker worker : clients) {
                assertThat(worker.join(1_200_000)).isTrue();
            }
            cluster.setFaults(SimFaults.NONE);
            Row row = table.read(ROW).orElseThrow();
            List<String> made = Stream.of(
                            row.value(STEPS).orElseThrow().toUtf8().split(";", -1))
                    .filter(step -> !step.isEmpty())
                    .toList();
            // What is in doubt may be there or not, but no more than once, and with its count.
            assertThat(made).doesNotHaveDuplicates().containsAll(acknowledged).noneMatch(notApplied::contains);
            assertThat(Counter.decode(row.value(COUNT).orElseThrow())).isEqualTo(made.size());
            assertThat(acknowledged).isNotEmpty();
        });
    }

    /** Two ways to add one, which see each other. */
    private void work(Table table, String client) {
        for (int i = 0; i < 8; i++) {
            String step = client + "." + i;
            Bytes name = Bytes.utf8(step + ";");
            try {
                if (i % 2 == 0) {
                    Map<ColumnKey, Bytes> unused = table.modify(RowMutation.of(ROW)
                            .increment(COUNT, 1)
                            .append(STEPS, name)
                            .build());
                } else {
                    table.transact(ROW, tx -> {
                        long count = tx.value(COUNT).map(Counter::decode).orElse(0L);
                        String before = tx.value(STEPS).map(Bytes::toUtf8).orElse("");
                        return tx.set(COUNT, Counter.encode(count + 1)).set(STEPS, Bytes.utf8(before + step + ";"));
                    });
                }
                acknowledged.add(step);
            } catch (BigtableException failed) {
                if (failed.outcome() == Outcome.NOT_APPLIED) {
                    notApplied.add(step);
                }
            }
        }
    }
}
