package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.AvroBytes;
import bt.base.Bytes;
import bt.metadata.MetadataRow;
import bt.model.GcRule;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.protocol.Address;
import bt.protocol.Request;
import bt.record.FlushTable;
import bt.record.SplitTablet;
import bt.record.UnloadTablet;
import bt.testing.Faults;
import bt.testing.FileOperation;
import bt.testing.SeededTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.apache.avro.specific.SpecificRecord;

/** Splits of many tablets that one host asks for at once. */
class SplitTurnsSimTest {
    private static final int TABLETS = 60;
    private static final int HOUR_MILLIS = 3_600_000;
    private static final Bytes VALUE = Bytes.utf8("v");

    /** One is under way, and one more may have its turn before each of what others ask for. */
    private static final int FEW = 5;

    private final List<String> ends = new ArrayList<>();

    @SeededTest(runs = 3)
    void keepNoOthersSplitHandOverOrFlushWaiting(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), 1, 1 << 16);
        sim.run(Duration.ofHours(2), () -> {
            long mallorys = sim.createTable(
                    draft("mallorys"),
                    IntStream.range(1, TABLETS).mapToObj(SplitTurnsSimTest::row).toArray(String[]::new));
            long adas = sim.createTable(draft("adas"), "m");
            for (int i = 0; i < TABLETS; i++) {
                sim.put(mallorys, Bytes.utf8(row(i) + "/b"), VALUE);
            }
            for (String row : List.of("a", "z")) {
                sim.put(adas, Bytes.utf8(row), VALUE);
            }
            List<MetadataRow> hers = sim.tablets(mallorys);
            assertThat(hers).hasSize(TABLETS);
            MetadataRow first = sim.tablets(adas).get(0);
            MetadataRow last = sim.tablets(adas).get(1);
            long epoch = sim.report().getMasterEpoch();
            // A split takes a while, in which others would be seen.
            sim.faults = (operation, path) ->
                    operation == FileOperation.CREATE ? new Faults.Fault(200, Faults.Failure.NONE) : Faults.NONE;
            for (int i = 0; i < TABLETS; i++) {
                send(sim, "mallory", "mallory", split(hers.get(i), row(i) + "/a"));
            }
            send(sim, "mallory", "mallory's flush", new FlushTable(mallorys));
            sim.scheduler.pause(100);
            send(sim, "ada", "ada's flush", new FlushTable(adas));
            send(sim, "ada", "ada's split", split(first, "c"));
            send(sim, "ada", "hand-over", unload(epoch, last.id()));
            while (ends.size() < TABLETS + 4) {
                sim.scheduler.pause(50);
            }
            assertThat(ends).noneMatch(end -> end.contains("failed"));
            for (String others : List.of("ada's split", "ada's flush", "hand-over")) {
                List<String> earlier = ends.subList(0, ends.indexOf(others));
                assertThat(earlier)
                        .as("before " + others)
                        .filteredOn("mallory"::equals)
                        .hasSizeLessThanOrEqualTo(FEW);
            }
        });
    }

    private static String row(int number) {
        return "r" + (100 + number);
    }

    private static TableSchema draft(String name) {
        return TableSchema.draft(name).family("f", GcRule.KEEP_ALL).build();
    }

    private void send(SimServers sim, String from, String name, SpecificRecord message) {
        CompletableFuture<?> unused = sim.network
                .of(from)
                .send(new Address("server-1", 1), new Request.Control(message), HOUR_MILLIS)
                .whenComplete((done, failure) -> ends.add(failure == null ? name : name + " failed: " + failure));
    }

    private static SplitTablet split(MetadataRow tablet, String row) {
        return new SplitTablet(
                tablet.id().tableId(),
                AvroBytes.buffer(tablet.previousEndRow()),
                AvroBytes.buffer(tablet.id().endRow()),
                AvroBytes.buffer(Bytes.utf8(row)),
                -1L);
    }

    private static UnloadTablet unload(long epoch, TabletId id) {
        return new UnloadTablet(epoch, id.tableId(), AvroBytes.buffer(id.endRow()), true, null);
    }
}
