package bt.shell.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import bt.client.Bigtable;
import bt.model.GcRule;
import bt.model.TableSchema;
import bt.testing.MemoryCluster;
import bt.testing.SilentLocks;
import bt.testing.SimScheduler;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NamesTest {
    private static final TableSchema DRAFT =
            TableSchema.draft("webtable").family("anchor", GcRule.KEEP_ALL).build();

    private final SimScheduler scheduler = new SimScheduler(1);
    private MemoryCluster cluster;
    private SilentLocks locks;

    @BeforeEach
    void start() throws Exception {
        cluster = new MemoryCluster();
        cluster.table(4, DRAFT, List.of(), 3);
        locks = new SilentLocks(cluster.locks);
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    @Test
    void whoeverCompletesAWordWaitsASecondForThemAtMost() {
        scheduler.run(Duration.ofMinutes(30), () -> {
            try (Bigtable client = Bigtable.over(cluster, locks, scheduler, scheduler.random("client"))) {
                Names names = new Names(client, scheduler);
                assertThat(names.tables()).containsExactly("webtable");
                locks.ignore(Integer.MAX_VALUE);
                takesASecond(names::tables);
                takesASecond(names::droppedTables);
                takesASecond(() -> names.families("webtable"));
                takesASecond(names::servers);
                locks.ignore(0);
                assertThat(names.families("webtable")).containsExactly("anchor");
            }
        });
    }

    private void takesASecond(Supplier<List<String>> asking) {
        long begin = scheduler.clock().nanos();
        assertThat(asking.get()).isEmpty();
        assertThat(Duration.ofNanos(scheduler.clock().nanos() - begin))
                .isBetween(Duration.ofSeconds(1), Duration.ofMillis(1_100));
    }
}
