package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.metadata.MetadataKeys;
import bt.metadata.MetadataRow;
import bt.model.GcRule;
import bt.model.TableSchema;
import bt.protocol.Address;
import bt.protocol.Request;
import bt.record.Phase;
import bt.testing.SeededTest;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A server tells METADATA that it serves tablets, more than it has threads for loads, and hears nothing of their rows from then on,
 * neither what became of that nor what the rows say.
 */
class LoadInDoubtSimTest {
    private static final TableSchema DRAFT =
            TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build();
    private static final List<String> ROWS =
            IntStream.range(0, 16).mapToObj(i -> "row " + (char) ('a' + i)).toList();

    private static final int MANY = 24;
    private static final int VALUES = 4;
    private static final Bytes LARGE = Bytes.wrap(new byte[20_000]);

    /** Of which a server's third of the tablets takes more than a half. */
    private static final long SHARE_BYTES = 1 << 20;

    /** Rows of METADATA of which the server hears nothing any more. */
    private final Set<Bytes> silent = new HashSet<>();

    @SeededTest(runs = 3)
    void othersAreLoadedMeanwhileAndTheseAreServedWhenTheAnswerComes(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), 2, 1 << 16);
        sim.run(Duration.ofMinutes(20), () -> {
            long table = sim.createTable(DRAFT, ROWS.subList(0, ROWS.size() - 1).toArray(String[]::new));
            for (String row : ROWS) {
                sim.put(table, Bytes.utf8(row), Bytes.utf8(row));
            }
            String holder = nameOfServer(sim.tablets(TableSchema.METADATA_ID).get(0));
            sim.move(TableSchema.METADATA_ID, holder);
            String other = holder.equals("server-1") ? "server-2" : "server-1";
            long ofOther = sim.tablets(table).stream()
                    .filter(row -> nameOfServer(row).equals(other))
                    .count();
            assertThat(ofOther).as("more than are loaded at a time").isGreaterThan(4);

            sim.losesAnswers = (server, request) -> server.equals(holder) && isLost(table, request);
            sim.crash(other);
            sim.tellExited("process-of-" + other);
            sim.scheduler.pause(60_000);
            assertThat(silent).hasSize((int) ofOther);
            assertThat(problems(sim, holder)).hasSize((int) ofOther);
            assertThat(sim.tablets(table))
                    .as("what METADATA says")
                    .allMatch(row -> row.location().getPhase() == Phase.SERVING
                            && nameOfServer(row).equals(holder));

            long began = sim.scheduler.clock().nanos();
            long near = sim.createTable(
                    TableSchema.draft("u").family("f", GcRule.KEEP_ALL).build());
            sim.put(near, Bytes.utf8("row"), Bytes.utf8("value"));
            assertThat(Duration.ofNanos(sim.scheduler.clock().nanos() - began)).isLessThan(Duration.ofSeconds(10));

            sim.losesAnswers = (server, request) -> false;
            for (String row : ROWS) {
                assertThat(sim.read(table, Bytes.utf8(row))).containsExactly(Bytes.utf8(row));
            }
            assertThat(problems(sim, holder)).isEmpty();
        });
    }

    /** Two servers die that each had much in memory: together more than the one that is left may have. */
    @SeededTest(runs = 3)
    void noMoreIsReplayedThanMemoryHasRoomFor(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), 3, SHARE_BYTES, SHARE_BYTES);
        sim.run(Duration.ofMinutes(60), () -> {
            String[] ends = IntStream.range(0, MANY - 1)
                    .mapToObj(LoadInDoubtSimTest::key)
                    .toArray(String[]::new);
            long table = sim.createTable(DRAFT, ends);
            sim.awaitServed();
            for (int i = 0; i < MANY; i++) {
                for (int value = 0; value < VALUES; value++) {
                    sim.put(table, Bytes.utf8(key(i)), LARGE);
                }
            }
            String holder = nameOfServer(sim.tablets(TableSchema.METADATA_ID).get(0));
            sim.move(TableSchema.METADATA_ID, holder);
            List<String> others = Stream.of("server-1", "server-2", "server-3")
                    .filter(server -> !server.equals(holder))
                    .toList();

            sim.losesAnswers = (server, request) -> server.equals(holder) && isLost(table, request);
            for (String other : others) {
                sim.crash(other);
                sim.tellExited("process-of-" + other);
            }
            sim.scheduler.pause(60_000);
            assertThat(problems(sim, holder)).as("in doubt").isNotEmpty();
            assertThat(sim.tablets(table))
                    .as("what waits for room")
                    .anyMatch(row -> row.location().getPhase() == Phase.LOADING);

            sim.losesAnswers = (server, request) -> false;
            for (int i = 0; i < MANY; i++) {
                assertThat(sim.read(table, Bytes.utf8(key(i)))).hasSize(VALUES);
            }
            assertThat(problems(sim, holder)).isEmpty();
        });
    }

    private static String key(int tablet) {
        return "row %02d".formatted(tablet);
    }

    /** Of a table's row a server hears nothing from when it changes it. */
    private boolean isLost(long table, Request request) {
        if (request instanceof Request.Mutate mutate && mutate.tableId() == TableSchema.METADATA_ID) {
            Bytes row = mutate.writes().get(0).mutation().row();
            if (MetadataKeys.tables(table, table).contains(row)) {
                silent.add(row);
            }
            return silent.contains(row);
        }
        return request instanceof Request.Scan scan
                && scan.tableId() == TableSchema.METADATA_ID
                && silent.contains(scan.walk().next());
    }

    private static List<String> problems(SimServers sim, String server) throws InterruptedException {
        return sim.status(server).getProblems().stream()
                .filter(problem -> problem.contains("is loaded, and METADATA does not say that it is served"))
                .toList();
    }

    private static String nameOfServer(MetadataRow row) {
        return Address.parse(row.location().getAddress()).host();
    }
}
