package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.metadata.MetadataRow;
import bt.model.GcRule;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.testing.Faults;
import bt.testing.FileOperation;
import bt.testing.SeededTest;
import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** Flushes of many tablets of a table that have become due at once. */
class FlushTurnsSimTest {
    private static final int TABLETS = 60;
    private static final int FLUSH_BYTES = 1 << 16;
    private static final long PURGE_MICROS = Duration.ofMinutes(30).toNanos() / 1_000;

    /** Two are under way, and as many begin before the one that memory needs has ended; each is seen a little later. */
    private static final int FEW = 8;

    @SeededTest(runs = 3)
    void keepNoFullMemtableWaiting(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), 1, FLUSH_BYTES);
        sim.run(Duration.ofMinutes(40), () -> {
            TableSchema draft = TableSchema.draft("mallorys")
                    .family("f", GcRule.KEEP_ALL)
                    .purge("f", PURGE_MICROS)
                    .build();
            long mallorys = sim.createTable(
                    draft,
                    IntStream.range(1, TABLETS).mapToObj(FlushTurnsSimTest::row).toArray(String[]::new));
            long adas = sim.createTable(
                    TableSchema.draft("adas").family("f", GcRule.KEEP_ALL).build());
            for (int i = 0; i < TABLETS; i++) {
                // Of a deletion alone nothing would come into a file.
                sim.put(mallorys, Bytes.utf8(row(i) + "/a"), Bytes.utf8("v"));
                RowMutation deletion =
                        RowMutation.of(Bytes.utf8(row(i) + "/b")).deleteRow().build();
                assertThat(sim.write(mallorys, deletion, Optional.empty()).failure())
                        .isEmpty();
            }
            assertThat(flushed(sim, mallorys)).isZero();
            // A flush takes a while, in which others would be seen.
            sim.faults = (operation, path) -> operation == FileOperation.CREATE && path.startsWith("data/")
                    ? new Faults.Fault(500, Faults.Failure.NONE)
                    : Faults.NONE;
            while (flushed(sim, mallorys) == 0) {
                sim.scheduler.pause(500);
            }
            sim.put(adas, Bytes.utf8("a"), Bytes.wrap(new byte[2 * FLUSH_BYTES]));
            long before = flushed(sim, mallorys);
            while (flushed(sim, adas) == 0) {
                sim.scheduler.pause(50);
            }
            assertThat(flushed(sim, mallorys) - before).isLessThanOrEqualTo(FEW);
            assertThat(flushed(sim, mallorys)).isLessThan(TABLETS);
            while (flushed(sim, mallorys) < TABLETS) {
                sim.scheduler.pause(500);
            }
        });
    }

    private static String row(int number) {
        return "r" + (100 + number);
    }

    /** How many tablets have something in files. */
    private static long flushed(SimServers sim, long table) throws InterruptedException {
        return sim.tablets(table).stream()
                .map(MetadataRow::state)
                .filter(state -> !state.getFiles().isEmpty())
                .count();
    }
}
