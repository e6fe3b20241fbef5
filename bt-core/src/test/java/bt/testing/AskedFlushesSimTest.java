package bt.testing;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.client.Admin;
import bt.client.Bigtable;
import bt.client.Operation;
import bt.client.Table;
import bt.model.GcRule;
import bt.model.RowMutation;
import bt.model.RowRange;
import bt.model.TableSchema;
import bt.testing.Faults.Failure;
import bt.testing.Faults.Fault;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What many tablets have in memory is written to files because somebody asks, and what else a server does goes on. */
class AskedFlushesSimTest {
    private static final List<Bytes> SPLITS = IntStream.range(0, 60)
            .mapToObj(i -> Bytes.utf8(String.format("%02d", i)))
            .toList();

    /** Less than a server takes for the flushes of all of them. */
    private static final long SOON_NANOS = 10_000_000_000L;

    private final SimCluster cluster = new SimCluster(23, 1 << 20);

    enum Work {
        COMPACTION {
            @Override
            void begin(Admin admin, SimCluster cluster) throws BigtableException {
                assertThat(admin.startCompaction("t", RowRange.ALL).isDone()).isFalse();
            }
        },
        FLUSH {
            @Override
            void begin(Admin admin, SimCluster cluster) throws BigtableException {
                assertThat(admin.startFlush("t").isDone()).isFalse();
            }
        },
        FLUSH_WITHOUT_A_WISH {
            @Override
            void begin(Admin admin, SimCluster cluster) {
                cluster.scheduler().start("flush", () -> {
                    try {
                        admin.flush("t");
                    } catch (BigtableException failed) {
                        throw new AssertionError(failed);
                    }
                });
            }
        };

        abstract void begin(Admin admin, SimCluster cluster) throws BigtableException;
    }

    @ParameterizedTest
    @EnumSource
    void loadsStandBehindFewFlushesThatSomebodyAsksFor(Work work) {
        cluster.startMaster();
        cluster.startServer();
        cluster.run(Duration.ofMinutes(30), () -> {
            try (Bigtable client = cluster.client()) {
                client.admin().createTable(draft("t"), SPLITS);
                Table table = client.table("t");
                for (Bytes row : SPLITS) {
                    table.apply(RowMutation.of(row).set("f", "q", "value").build());
                }
                cluster.setFileFaults(
                        (operation, path) -> path.startsWith("data/1/") && operation == FileOperation.CREATE
                                ? new Fault(1_000, Failure.NONE)
                                : Faults.NONE);
                work.begin(client.admin(), cluster);
                // The server hears of it with a look.
                cluster.scheduler().pause(1_000);
                long begin = cluster.scheduler().clock().nanos();
                client.admin().createTable(draft("other"), List.of());
                client.table("other")
                        .apply(RowMutation.of("r").set("f", "q", "value").build());
                assertThat(cluster.scheduler().clock().nanos() - begin).isLessThan(SOON_NANOS);
                client.admin().flush("t");
                for (Operation operation : client.admin().operations()) {
                    client.admin().awaitOperation(operation.id(), 700_000, progress -> {});
                }
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    private static TableSchema draft(String name) {
        return TableSchema.draft(name).family("f", GcRule.KEEP_ALL).build();
    }
}
