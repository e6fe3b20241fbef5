package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.model.ColumnKey;
import bt.model.GcRule;
import bt.model.Limits;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.testing.SeededTest;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** Tablets with a file each whose only cell has the longest key that there can be. */
class LongKeysSimTest {
    private static final List<String> ROWS =
            IntStream.range(0, 20).mapToObj("row %02dx"::formatted).toList();

    /** Room for all of them, were their keys short; for two, if they kept keys. */
    private static final long TABLET_BYTES = 512 << 10;

    @SeededTest(runs = 2)
    void theyTakeNoMoreOfAServersMemoryThanOthers(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), 1, 1 << 20, 32 << 20, TABLET_BYTES);
        sim.run(Duration.ofMinutes(60), () -> {
            TableSchema draft =
                    TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build();
            long table = sim.createTable(draft, ROWS.toArray(String[]::new));
            for (String row : ROWS) {
                assertThat(sim.write(table, cell(row), Optional.empty()).failure())
                        .isEmpty();
            }
            sim.flush(table, "server-1");
            checkHasRoom(sim);
        });
    }

    /** Each in the last tablet of its table, where keys may be that are below no short ones. */
    @SeededTest(runs = 2)
    void norDoThoseWhoseKeysAreTheHighestThereAre(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), 1, 1 << 20, 32 << 20, TABLET_BYTES);
        byte[] highest = new byte[Limits.ROW_BYTES];
        Arrays.fill(highest, (byte) 0xff);
        sim.run(Duration.ofMinutes(60), () -> {
            for (int i = 0; i < ROWS.size(); i++) {
                long table = sim.createTable(
                        TableSchema.draft("t" + i).family("f", GcRule.KEEP_ALL).build());
                assertThat(sim.write(table, cell(Bytes.wrap(highest)), Optional.empty())
                                .failure())
                        .isEmpty();
                sim.flush(table, "server-1");
            }
            checkHasRoom(sim);
        });
    }

    /** And whoever has them next. */
    private static void checkHasRoom(SimServers sim) throws InterruptedException {
        sim.scheduler.pause(2_000);
        assertThat(sim.status("server-1").getFull()).isFalse();
        sim.crash("server-1");
        sim.startServer("server-2");
        sim.awaitServed();
        sim.scheduler.pause(2_000);
        assertThat(sim.status("server-2").getFull()).isFalse();
    }

    /** In the tablet that ends with the row: before its last byte there are zeros. */
    private static RowMutation cell(String row) {
        return cell(Bytes.utf8(row.substring(0, row.length() - 1) + "\0".repeat(Limits.ROW_BYTES - row.length())));
    }

    private static RowMutation cell(Bytes key) {
        ColumnKey column = new ColumnKey("f", Bytes.wrap(new byte[Limits.QUALIFIER_BYTES]));
        return RowMutation.of(key).set(column, Bytes.EMPTY).build();
    }
}
