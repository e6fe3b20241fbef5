package bt.testing;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.client.Bigtable;
import bt.client.Table;
import bt.doctor.Doctor;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataTable;
import bt.model.ColumnKey;
import bt.model.GcRule;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.record.Phase;
import bt.testing.Faults.Failure;
import bt.testing.Faults.Fault;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The replay of each segment takes 50 s, that of all more than the 120 s after which a load is said to stand still. */
class SlowReplaySimTest {
    private static final TableSchema DRAFT =
            TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build();
    private static final ColumnKey COLUMN = ColumnKey.of("f", "q");
    private static final Bytes VALUE = Bytes.wrap(new byte[10_000]);
    private static final int ROWS = 40;
    private static final int SEGMENT_SECONDS = 50;

    private final SimCluster cluster = new SimCluster(5, 1 << 20);
    private final Doctor.Ports ports = cluster.ports();
    private final MetadataTable metadata =
            new MetadataTable(ports.network(), ports.locks(), ports.scheduler(), ports.random());
    private final AtomicInteger replayed = new AtomicInteger();

    @Test
    void whoBeganItEndsIt() {
        cluster.startMaster();
        String first = cluster.startServer();
        cluster.run(Duration.ofHours(1), () -> {
            try (Bigtable client = cluster.client()) {
                client.admin().createTable(DRAFT, List.of());
                Table table = client.table("t");
                for (int i = 0; i < ROWS; i++) {
                    table.apply(RowMutation.of("row" + i).set(COLUMN, VALUE).build());
                }
                String dead = row().location().getAddress();
                slowDownReplays();
                cluster.startServer();
                cluster.startServer();
                cluster.kill(first);
                while (row().location().getAddress().equals(dead)) {
                    pause(1);
                }
                String loader = row().location().getAddress();
                long began = cluster.scheduler().clock().nanos();
                while (row().location().getPhase() != Phase.SERVING) {
                    pause(1);
                    assertThat(row().location().getAddress()).isEqualTo(loader);
                }
                assertThat(Duration.ofNanos(cluster.scheduler().clock().nanos() - began))
                        .isGreaterThan(Duration.ofMinutes(2));
                assertThat(replayed).hasValueGreaterThan(2);
                assertThat(table.read(Bytes.utf8("row0"))).isPresent();
                Checkup.of(ports);
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    private void slowDownReplays() {
        cluster.setFileFaults((operation, path) -> {
            if (operation != FileOperation.OPEN || !path.contains("/sorted/")) {
                return Faults.NONE;
            }
            replayed.incrementAndGet();
            return new Fault(SEGMENT_SECONDS * 1_000, Failure.NONE);
        });
    }

    private MetadataRow row() throws BigtableException, InterruptedException {
        return metadata.scan(1, 1).get(0);
    }

    private void pause(long seconds) throws InterruptedException {
        cluster.scheduler().pause(seconds * 1_000);
    }
}
