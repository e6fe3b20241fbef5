package bt.testing;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.client.Table;
import bt.master.MasterConfig;
import bt.model.ColumnKey;
import bt.model.GcRule;
import bt.model.RowMutation;
import bt.model.TableSchema;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/** What is kept for days is kept for them, whatever the clocks of the masters' machines say. */
class MasterClockSimTest {
    private static final TableSchema DRAFT =
            TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build();
    private static final ColumnKey COLUMN = ColumnKey.of("f", "q");
    private static final Bytes ROW = Bytes.utf8("r");
    /** Longer than a dropped table may come back. */
    private static final long DAYS_MICROS = TimeUnit.DAYS.toMicros(8);
    /** In which a master looks at everything, and another is elected. */
    private static final long LONG_MILLIS = 60_000;

    @SeededTest(runs = 2)
    void aDroppedTableComesBackThoughMastersAreAhead(RandomGenerator random) {
        ClusterStory.tell(random, MasterConfig.DEFAULT, DRAFT, List.of(), (cluster, client) -> {
            write(client.table("t"));
            client.admin().dropTable("t");
            moveMasters(cluster, DAYS_MICROS);
            cluster.scheduler().pause(LONG_MILLIS);
            client.admin().undeleteTable("t");
            assertThat(client.table("t").read(ROW)).isPresent();
        });
    }

    @SeededTest(runs = 2)
    void aTableThatIsDroppedByAMasterThatIsBehindIsKeptByTheNext(RandomGenerator random) {
        ClusterStory.tell(random, MasterConfig.DEFAULT, DRAFT, List.of(), (cluster, client) -> {
            write(client.table("t"));
            moveMasters(cluster, -DAYS_MICROS);
            client.admin().dropTable("t");
            moveMasters(cluster, 0);
            cluster.crashActiveMaster();
            cluster.scheduler().pause(LONG_MILLIS);
            client.admin().undeleteTable("t");
            assertThat(client.table("t").read(ROW)).isPresent();
        });
    }

    private static void write(Table table) throws BigtableException {
        table.apply(RowMutation.of(ROW).set(COLUMN, Bytes.utf8("v")).build());
    }

    private static void moveMasters(SimCluster cluster, long micros) {
        cluster.masters().forEach(master -> cluster.scheduler().moveClock(master, micros));
    }
}
