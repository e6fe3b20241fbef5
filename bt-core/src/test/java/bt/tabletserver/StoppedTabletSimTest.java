package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.metadata.MetadataKeys;
import bt.model.GcRule;
import bt.model.TableSchema;
import bt.protocol.Request;
import bt.testing.Faults;
import bt.testing.Faults.Failure;
import bt.testing.Faults.Fault;
import bt.testing.FileOperation;
import bt.testing.SeededTest;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/** The file store takes what a tablet had in memory when it is to be split, or to move, and not what comes until writes are refused. */
class StoppedTabletSimTest {
    private static final long SLOW_MILLIS = 500;
    private static final long REFUSES_MILLIS = 20_000;

    @SeededTest(runs = 3)
    void whatIsToBeSplitTakesWritesAgainAtOnce(RandomGenerator random) {
        live(random, (sim, table) -> {
            try {
                sim.askToSplit(sim.tablets(table).get(0), Optional.of(Bytes.utf8("row 1")));
            } catch (BigtableException failed) {
                // As it must, once.
            }
        });
    }

    @SeededTest(runs = 3)
    void soDoesWhatIsToMove(RandomGenerator random) {
        live(random, (sim, table) -> {
            String server = sim.serverOf(table);
            sim.beginMove(table, server.equals("server-1") ? "server-2" : "server-1");
        });
    }

    private interface Deed {
        void begin(SimServers sim, long table) throws InterruptedException;
    }

    private static void live(RandomGenerator random, Deed deed) {
        SimServers sim = new SimServers(random.nextLong(), 2, 1 << 20);
        sim.run(Duration.ofMinutes(20), () -> {
            long table = sim.createTable(
                    TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build());
            sim.put(table, Bytes.utf8("row 0"), Bytes.utf8("value"));
            AtomicBoolean isNamed = new AtomicBoolean();
            sim.losesAnswers = (server, request) -> {
                if (isChange(table, request)) {
                    isNamed.set(true);
                }
                return false;
            };
            AtomicLong refused = new AtomicLong();
            sim.faults = (operation, path) -> {
                if (operation != FileOperation.CREATE || !path.contains("data/" + table + "/")) {
                    return Faults.NONE;
                }
                refused.addAndGet(isNamed.get() ? 1 : 0);
                return isNamed.get() ? new Fault(0, Failure.INSTEAD) : new Fault(SLOW_MILLIS, Failure.NONE);
            };
            sim.scheduler.start("operator", () -> deed.begin(sim, table));
            long began = sim.scheduler.clock().nanos();
            long longest = 0;
            for (int i = 0; sim.scheduler.clock().nanos() - began < REFUSES_MILLIS * 1_000_000; i++) {
                long before = sim.scheduler.clock().nanos();
                sim.put(table, Bytes.utf8("row " + i), Bytes.utf8("later"));
                longest = Math.max(longest, sim.scheduler.clock().nanos() - before);
                sim.scheduler.pause(20);
            }
            assertThat(refused.get()).as("files that were not taken").isPositive();
            assertThat(Duration.ofNanos(longest)).isLessThan(Duration.ofSeconds(5));
            sim.faults = (operation, path) -> Faults.NONE;
            sim.scheduler.pause(30_000);
            assertThat(sim.read(table, Bytes.utf8("row 1"))).containsExactly(Bytes.utf8("later"));
        });
    }

    private static boolean isChange(long table, Request request) {
        return request instanceof Request.Mutate mutate
                && mutate.tableId() == TableSchema.METADATA_ID
                && MetadataKeys.tables(table, table)
                        .contains(mutate.writes().get(0).mutation().row());
    }
}
