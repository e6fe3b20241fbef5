package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.metadata.MetadataRow;
import bt.model.GcRule;
import bt.model.TableSchema;
import bt.record.Phase;
import bt.testing.Faults;
import bt.testing.FileOperation;
import bt.testing.SeededTest;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/** A server that lives hands a tablet back to nobody, and no pass is due for up to ten seconds. */
class HandedBackSimTest {
    private static final TableSchema DRAFT =
            TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build();
    private static final int TIMES = 4;

    @SeededTest(runs = 3)
    void aTabletOfUsersIsGivenToAServerAtOnce(RandomGenerator random) {
        handBack(random, Duration.ofSeconds(3), sim -> sim.createTable(DRAFT));
    }

    @SeededTest(runs = 3)
    void soIsATabletOfMetadata(RandomGenerator random) {
        handBack(random, Duration.ofSeconds(3), sim -> TableSchema.METADATA_ID);
    }

    /** A pass comes when its server has it no more, and finds it served there: METADATA learns of it a second later. */
    @SeededTest(runs = 3)
    void soIsATabletThatMetadataStillSaysIsServed(RandomGenerator random) {
        handBack(random, Duration.ofSeconds(7), sim -> {
            long table = sim.createTable(DRAFT);
            sim.faults = (operation, path) -> operation == FileOperation.SYNC && path.contains("/metadata")
                    ? new Faults.Fault(1_000, Faults.Failure.NONE)
                    : Faults.NONE;
            return table;
        });
    }

    private interface Chosen {
        long table(SimServers sim) throws InterruptedException;
    }

    private static void handBack(RandomGenerator random, Duration most, Chosen chosen) {
        SimServers sim = new SimServers(random.nextLong(), 2, 1 << 16);
        sim.run(Duration.ofMinutes(60), () -> {
            sim.awaitServed();
            long table = chosen.table(sim);
            for (int i = 0; i < TIMES; i++) {
                sim.scheduler.pause(15_000 + random.nextLong(10_000));
                MetadataRow before = last(sim, table);
                long nanos = sim.scheduler.clock().nanos();
                sim.beginUnload(table);
                while (last(sim, table).generation() == before.generation()
                        || last(sim, table).location().getPhase() != Phase.SERVING) {
                    sim.scheduler.pause(50);
                }
                assertThat(Duration.ofNanos(sim.scheduler.clock().nanos() - nanos))
                        .as("until it is served again")
                        .isLessThan(most);
            }
            long used = sim.createTable(
                    TableSchema.draft("used").family("f", GcRule.KEEP_ALL).build());
            sim.put(used, Bytes.utf8("r"), Bytes.utf8("value"));
            assertThat(sim.replayedLogs()).isEmpty();
        });
    }

    private static MetadataRow last(SimServers sim, long table) throws InterruptedException {
        List<MetadataRow> tablets = sim.tablets(table);
        return tablets.get(tablets.size() - 1);
    }
}
