package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Deadline;
import bt.metadata.Locator;
import bt.model.GcRule;
import bt.model.TableSchema;
import bt.protocol.Calls;
import bt.record.CacheReport;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Where tablets are is read from memory (section 6 of the paper), whatever of METADATA is in files. */
class MetadataInMemorySimTest {
    private static final Bytes ROW = Bytes.utf8("row");
    private static final int LOOK_UPS = 5;

    @Test
    void lookUpsReadNoBlockOfMetadata() {
        SimServers sim = new SimServers(11, 2, 1 << 16);
        sim.run(Duration.ofMinutes(10), () -> {
            long table = sim.createTable(
                    TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build());
            sim.put(table, ROW, Bytes.utf8("value"));
            String next = sim.serverOf(TableSchema.METADATA_ID).equals("server-1") ? "server-2" : "server-1";
            // All of it is in files then, and in no memtable.
            sim.move(TableSchema.METADATA_ID, next);
            lookUp(sim, table);
            CacheReport inMemory = cache(sim, next, "metadata-in-memory");
            assertThat(inMemory.getBytes()).isPositive();
            assertThat(inMemory.getHits()).as("files that were loaded").isPositive();
            assertThat(inMemory.getMisses()).as("files without room").isZero();

            CacheReport before = cache(sim, next, "metadata-blocks");
            for (int i = 0; i < LOOK_UPS; i++) {
                lookUp(sim, table);
            }
            assertThat(cache(sim, next, "metadata-blocks")).isEqualTo(before);
        });
    }

    /** By a client that knows nothing yet. */
    private static void lookUp(SimServers sim, long table) throws InterruptedException {
        Calls calls = new Calls(sim.network.of("test"), sim.scheduler, 5_000);
        Locator locator = new Locator(calls, sim.locks.session("test", 10_000));
        try {
            assertThat(locator.locate(table, ROW, Deadline.after(sim.scheduler.clock(), 10_000))
                            .id()
                            .tableId())
                    .isEqualTo(table);
        } catch (BigtableException failed) {
            throw new AssertionError(failed);
        }
    }

    private static CacheReport cache(SimServers sim, String server, String name) throws InterruptedException {
        return sim.status(server).getCaches().stream()
                .filter(cache -> cache.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }
}
