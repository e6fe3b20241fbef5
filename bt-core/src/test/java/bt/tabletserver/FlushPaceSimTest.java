package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.model.GcRule;
import bt.model.TableSchema;
import bt.protocol.Request;
import bt.testing.Faults;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** How fast a memtable becomes a file: as others fill, or at once where somebody waits for it. */
class FlushPaceSimTest {
    private static final TableSchema DRAFT =
            TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build();
    private static final int FLUSH_BYTES = 4 << 20;
    private static final int VALUE_BYTES = 64 << 10;

    /** Of a flush that is as slow as one may be: less than the memtable's bytes at 16 MB a second, for the last stride is not waited for. */
    private static final long PACED_MILLIS = 150;

    private final SimServers sim = new SimServers(1, 1, FLUSH_BYTES);
    private final Random random = new Random(1);

    /** By file: when it was first worked on, and when last. In milliseconds of virtual time. */
    private final Map<String, long[]> worked = new LinkedHashMap<>();

    private int rows;

    @Test
    void aFullMemtableBecomesAFileNoFasterThanThereIsNeed() {
        sim.run(Duration.ofMinutes(10), () -> {
            long table = table();
            fill(table, FLUSH_BYTES + VALUE_BYTES);
            sim.scheduler.pause(1_000);
            assertThat(longest()).isBetween(PACED_MILLIS, 400L);
        });
    }

    @Test
    void whatSomebodyAsksForIsDoneAtOnce() {
        sim.run(Duration.ofMinutes(10), () -> {
            long table = table();
            fill(table, FLUSH_BYTES / 2);
            sim.flush(table);
            assertThat(longest()).isLessThan(PACED_MILLIS / 10);
        });
    }

    @Test
    void whatIsUnderWayIsHastenedWhereSomebodyWaitsForIt() {
        sim.run(Duration.ofMinutes(10), () -> {
            long table = table();
            fill(table, FLUSH_BYTES + VALUE_BYTES);
            // It has begun.
            sim.scheduler.pause(20);
            assertThat(worked).isNotEmpty();
            sim.flush(table);
            assertThat(longest()).isLessThan(PACED_MILLIS / 2);
        });
    }

    /** The tablet that leaves has its memory in files by then, and needs no thread. */
    @Test
    void whatIsHandedOverHastensNothingWhileMetadataDoesNotAnswer() {
        sim.run(Duration.ofMinutes(10), () -> {
            long leaving = sim.createTable(
                    TableSchema.draft("u").family("f", GcRule.KEEP_ALL).build());
            sim.put(leaving, Bytes.utf8("r"), Bytes.utf8("value"));
            sim.flush(leaving);
            long table = table();
            sim.put(table, Bytes.utf8("r"), Bytes.utf8("value"));
            sim.losesAnswers = (server, request) -> server.equals("server-1") && isOfMetadata(request);
            sim.beginUnload(leaving);
            sim.scheduler.pause(20_000);
            fill(table, FLUSH_BYTES + VALUE_BYTES);
            sim.scheduler.pause(1_000);
            assertThat(worked).isNotEmpty();
            assertThat(longest()).isBetween(PACED_MILLIS, 400L);
        });
    }

    /** While its file waits, a value that is large lies in buffers of its size. */
    @Test
    void aLargeValueIsNotWaitedForAsLongAsItIs() {
        sim.run(Duration.ofMinutes(10), () -> {
            long table = table();
            fill(table, 1 << 20);
            byte[] large = new byte[FLUSH_BYTES];
            random.nextBytes(large);
            sim.put(table, Bytes.utf8("z"), Bytes.wrap(large));
            sim.scheduler.pause(1_000);
            assertThat(worked).isNotEmpty();
            assertThat(longest()).isLessThan(PACED_MILLIS);
        });
    }

    private long table() throws InterruptedException {
        long table = sim.createTable(DRAFT);
        sim.faults = (operation, path) -> {
            if (path.startsWith("data/" + table + "/")) {
                long now = sim.scheduler.clock().nanos() / 1_000_000;
                worked.computeIfAbsent(path, first -> new long[] {now, now})[1] = now;
            }
            return Faults.NONE;
        };
        return table;
    }

    private void fill(long table, int bytes) throws InterruptedException {
        for (int i = 0; i < bytes; i += VALUE_BYTES) {
            byte[] value = new byte[VALUE_BYTES];
            random.nextBytes(value);
            sim.put(table, Bytes.utf8("r" + rows++), Bytes.wrap(value));
        }
    }

    private long longest() {
        return worked.values().stream()
                .mapToLong(times -> times[1] - times[0])
                .max()
                .orElseThrow();
    }

    private static boolean isOfMetadata(Request request) {
        if (request instanceof Request.Mutate mutate) {
            return mutate.tableId() == TableSchema.METADATA_ID;
        }
        return request instanceof Request.Scan scan && scan.tableId() == TableSchema.METADATA_ID;
    }
}
