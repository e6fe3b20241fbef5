package bt.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.OverloadedException;
import bt.client.Bigtable;
import bt.client.Table;
import bt.model.GcRule;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.testing.Faults.Failure;
import bt.testing.Faults.Fault;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The memory of one table's tablets cannot be written to files, because its directory is full say. There is one server. */
class UnwritableTabletSimTest {
    private static final List<Bytes> SPLITS = List.of(Bytes.utf8("g"), Bytes.utf8("p"));
    private static final List<String> TABLETS = List.of("a", "h", "q");
    private static final String VALUE = "v".repeat(20_000);
    private static final Duration SOON = Duration.ofSeconds(30);

    /** Of which all tablets of the table together cannot take more than half. */
    private final SimCluster cluster =
            new SimCluster(31, SimSizes.flushing(100_000).withMemtableBytes(2 << 20, 8 << 20));

    private boolean isFull;
    private int attempts;

    @Test
    void allOthersGetOnAndItIsToldAndWritesWaitUntilTheyCan() {
        live(client -> {
            isFull = true;
            for (String tablet : TABLETS) {
                write(client.table("t"), tablet, 0, 8);
            }
            // More tablets than there are threads for loads and for memtables that become files.
            pause(60);
            assertSoon(() -> {
                client.admin().createTable(draft("later"), List.of());
                write(client.table("later"), "r", 0, 1);
            });
            assertSoon(() -> client.admin().flush("u"));
            assertThat(problems(client)).isNotEmpty().allMatch(problem -> problem.contains("table t: "));

            assertThatThrownBy(() -> write(client.table("t"), "a", 8, 20))
                    .isInstanceOf(OverloadedException.class)
                    .hasMessageContaining("its tablet's memory cannot be written to a file (data/1/");
            assertSoon(() -> write(client.table("u"), "r", 0, 100));

            isFull = false;
            pause(15);
            assertSoon(() -> write(client.table("t"), "a", 8, 20));
            assertThat(problems(client)).isEmpty();
            client.admin().flush("t");
        });
    }

    @Test
    void itIsTriedAgainEveryTenSeconds() {
        live(client -> {
            isFull = true;
            write(client.table("t"), "a", 0, 8);
            pause(60);
            attempts = 0;
            pause(100);
            assertThat(attempts).isBetween(9, 11);
        });
    }

    private static List<String> problems(Bigtable client) throws BigtableException {
        return client.admin().clusterStatus().problems().stream()
                .filter(problem -> problem.contains("its memory cannot be written to a file"))
                .toList();
    }

    private static void write(Table table, String tablet, int from, int to) throws BigtableException {
        for (int i = from; i < to; i++) {
            table.apply(RowMutation.of(tablet + i).set("f", "q", VALUE).build());
        }
    }

    private interface Story {
        void tell(Bigtable client) throws BigtableException, InterruptedException;
    }

    private interface Deed {
        void run() throws BigtableException;
    }

    private void assertSoon(Deed deed) throws BigtableException {
        long before = cluster.scheduler().clock().nanos();
        deed.run();
        assertThat(Duration.ofNanos(cluster.scheduler().clock().nanos() - before))
                .isLessThan(SOON);
    }

    private void live(Story story) {
        cluster.startMaster();
        cluster.startServer();
        cluster.setFileFaults((operation, path) -> {
            if (isFull && operation == FileOperation.CREATE && path.startsWith("data/1/")) {
                attempts++;
                return new Fault(0, Failure.INSTEAD);
            }
            return Faults.NONE;
        });
        cluster.run(Duration.ofMinutes(30), () -> {
            try (Bigtable client = cluster.client()) {
                client.admin().createTable(draft("t"), SPLITS);
                client.admin().createTable(draft("u"), List.of());
                write(client.table("u"), "r", 0, 3);
                story.tell(client);
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    private void pause(long seconds) throws InterruptedException {
        cluster.scheduler().pause(seconds * 1_000);
    }

    private static TableSchema draft(String name) {
        return TableSchema.draft(name).family("f", GcRule.KEEP_ALL).build();
    }
}
