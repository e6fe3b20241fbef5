package bt.tabletserver;

import static bt.tabletserver.CommitFixture.put;
import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.fs.FileInfo;
import bt.fs.FileStore;
import bt.log.LogOptions;
import bt.log.LogRecord;
import bt.log.LogRecord.Kind;
import bt.log.LogStream;
import bt.model.Filter;
import bt.model.RowRange;
import bt.model.TableSchema.Durability;
import bt.protocol.Write;
import bt.protocol.WriteId;
import bt.protocol.WriteResult;
import bt.tablet.OpenWrite;
import bt.tablet.ReadSpec;
import bt.tablet.Tablet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LogTrimTest {
    private static final long SEGMENT_BYTES = 100_000;
    private static final int VALUE_BYTES = 10_000;

    private static final int SHARE_SEGMENTS = 10;

    /** Twice the share, and two beside. */
    private static final int MAX_SEGMENTS = 2 * SHARE_SEGMENTS + 2;

    private static final long TEN_MINUTES = 600_000;

    private long number;

    private static CommitFixture server() throws BigtableException {
        return new CommitFixture(1, Durability.SYNC, SHARE_SEGMENTS * SEGMENT_BYTES, new LogOptions(SEGMENT_BYTES));
    }

    /** Writes so many segments' worth, a second between segments, and writes memtables to files as asked. */
    private void fill(CommitFixture server, HostedTablet tablet, int segments)
            throws BigtableException, InterruptedException {
        for (int i = 0; i < segments; i++) {
            for (int bytes = 0; bytes < SEGMENT_BYTES; bytes += VALUE_BYTES) {
                number++;
                Write write = new Write(
                        put("filled", "v".repeat(VALUE_BYTES)), new WriteId(9, number, number), Optional.empty());
                assertThat(server.simulation
                                .await(server.begin(tablet, write), 30_000)
                                .failure())
                        .isEmpty();
            }
            server.simulation.pause(1_500);
            server.compactions.add(tablet);
            bringToFiles(server);
        }
    }

    /** A value of so many bytes, with what the log does in a second and a half, which is in a file then. */
    private static void writeToFile(CommitFixture server, HostedTablet tablet, int number, int bytes)
            throws BigtableException, InterruptedException {
        Write write = new Write(put("filled", "v".repeat(bytes)), new WriteId(9, number, number), Optional.empty());
        assertThat(server.simulation.await(server.begin(tablet, write), 30_000).failure())
                .isEmpty();
        server.simulation.pause(1_500);
        bringToFile(server, tablet);
    }

    private static void bringToFile(CommitFixture server, HostedTablet tablet)
            throws BigtableException, InterruptedException {
        server.simulation.await(tablet.queue().freeze(tablet), 10_000);
        server.host.writeFrozen(tablet);
    }

    /** Of a table of its own, behind the same log. */
    private static HostedTablet adoptAnother(CommitFixture server, int number)
            throws BigtableException, InterruptedException {
        HostedTablet another = server.hostAnother(1 + number, Durability.SYNC);
        server.simulation.await(server.hosted.queue().adopt(another, new Outcomes()), 10_000);
        return another;
    }

    private static void bringToFiles(CommitFixture server) throws BigtableException, InterruptedException {
        for (HostedTablet wanted : List.copyOf(server.compactions)) {
            bringToFile(server, wanted);
        }
        server.compactions.clear();
    }

    private static List<String> segments(CommitFixture server) throws BigtableException {
        return server.store.process("watcher").list(server.stream.directory()).stream()
                .map(FileInfo::name)
                .toList();
    }

    @Test
    void aTabletThatHoldsLittleIsAppendedAgainAndOldSegmentsGo() throws Exception {
        CommitFixture server = server();
        HostedTablet filled = server.hostAnother(Durability.SYNC);
        server.run(() -> {
            server.simulation.await(server.hosted.queue().adopt(filled, new Outcomes()), 10_000);
            server.write("idle", "value", new WriteId(1, 1, 1));
            for (int round = 0; round < 4; round++) {
                fill(server, filled, MAX_SEGMENTS);
                server.simulation.pause(TEN_MINUTES);
            }
            fill(server, filled, 2);
            server.simulation.pause(1_500);
            assertThat(segments(server)).hasSizeLessThanOrEqualTo(MAX_SEGMENTS + 2);
            List<LogRecord> logged = server.crashAndReadLog();
            assertThat(logged)
                    .filteredOn(entry -> entry.row().equals(Bytes.utf8("idle")))
                    .isNotEmpty()
                    .allSatisfy(entry -> {
                        assertThat(entry.kind()).isEqualTo(Kind.COPY);
                        assertThat(entry.stamp().firstSequence()).isEqualTo(CommitFixture.REDO_POINT + 1);
                    });
            assertThat(replayed(server)).containsExactly("value");
            assertThat(server.hosted.queue().logReport().getCopies()).isPositive();
            assertThat(server.hosted.queue().logReport().getFlushes()).isZero();
        });
    }

    /** Hundreds of tablets with a row each, while the log gets on by what it may be long in two seconds. */
    @Test
    void manyTabletsThatHoldLittleKeepNoLogHoweverFastItGetsOn() throws Exception {
        int segmentBytes = 400_000;
        int maxSegments = 2 + 2 * (8 << 20) / segmentBytes;
        CommitFixture server = new CommitFixture(1, Durability.SYNC, 8 << 20, new LogOptions(segmentBytes));
        HostedTablet filled = server.hostAnother(Durability.SYNC);
        server.run(() -> {
            server.simulation.await(server.hosted.queue().adopt(filled, new Outcomes()), 10_000);
            for (int i = 1; i <= 300; i++) {
                HostedTablet one = adoptAnother(server, i);
                writeTo(server, one, i, 5);
            }
            int bySecond = maxSegments / 2;
            for (int i = 1; i <= 20 * bySecond; i++) {
                writeTo(server, filled, 1_000 + i, segmentBytes);
                bringToFile(server, filled);
                if (i % bySecond == 0) {
                    server.simulation.pause(1_100);
                    assertThat(segments(server)).hasSizeLessThanOrEqualTo(maxSegments + 2 * bySecond);
                }
            }
            assertThat(server.compactionsForLog).isEmpty();
            assertThat(server.crashAndReadLog())
                    .filteredOn(entry -> entry.row().equals(Bytes.utf8("one")))
                    .hasSizeGreaterThanOrEqualTo(300)
                    .allMatch(
                            entry -> entry.kind() == Kind.COPY && entry.author().client() == 1);
        });
    }

    /** Who is left for the next time keeps the log until then. */
    @Test
    void ofMoreThanGoTogetherAllAreThereBehindACrash() throws Exception {
        int segmentBytes = 400_000;
        int maxSegments = 2 + 2 * (16 << 20) / segmentBytes;
        CommitFixture server = new CommitFixture(1, Durability.SYNC, 16 << 20, new LogOptions(segmentBytes));
        HostedTablet filled = server.hostAnother(Durability.SYNC);
        server.run(() -> {
            server.simulation.await(server.hosted.queue().adopt(filled, new Outcomes()), 10_000);
            List<HostedTablet> small = new ArrayList<>();
            for (int i = 1; i <= 8; i++) {
                HostedTablet one = adoptAnother(server, i);
                writeTo(server, one, i, 600_000);
                small.add(one);
            }
            for (int i = 1; i <= maxSegments + 10; i++) {
                writeTo(server, filled, 1_000 + i, segmentBytes);
                bringToFile(server, filled);
            }
            server.simulation.pause(1_100);
            for (int i = 1; i <= 3; i++) {
                writeTo(server, filled, 2_000 + i, segmentBytes);
            }
            assertThat(server.hosted.queue().logReport().getCopies()).isBetween(6L, 7L);
            List<LogRecord> logged = server.crashAndReadLog();
            for (HostedTablet one : small) {
                assertThat(logged).anyMatch(entry -> entry.tableId() == one.id().tableId());
            }
        });
    }

    /** To a row {@code one} if the value is short. */
    private static void writeTo(CommitFixture server, HostedTablet tablet, int number, int bytes)
            throws BigtableException, InterruptedException {
        String row = bytes < 100 ? "one" : "filled";
        Write write = new Write(put(row, "v".repeat(bytes)), new WriteId(1, number, 1), Optional.empty());
        assertThat(server.simulation.await(server.begin(tablet, write), 30_000).failure())
                .isEmpty();
    }

    /** More than is appended again at a time, and behind it what came when it was frozen already. */
    @Test
    void whatCannotBecomeAFileIsAppendedAgainWhenTheLogIsTwiceAsLong() throws Exception {
        int segmentBytes = 400_000;
        int maxSegments = 2 + 2 * (8 << 20) / segmentBytes;
        CommitFixture server = new CommitFixture(1, Durability.SYNC, 8 << 20, new LogOptions(segmentBytes));
        HostedTablet filled = server.hostAnother(Durability.SYNC);
        server.run(() -> {
            server.simulation.await(server.hosted.queue().adopt(filled, new Outcomes()), 10_000);
            for (int i = 1; i <= 5; i++) {
                server.write("stuck-" + i, "v".repeat(1 << 20), new WriteId(1, i, i));
            }
            server.simulation.await(server.hosted.queue().freeze(server.hosted), 10_000);
            server.write("idle", "value", new WriteId(1, 6, 6));
            for (int i = 1; i <= 4 * maxSegments; i++) {
                writeToFile(server, filled, i, segmentBytes);
            }
            assertThat(segments(server)).hasSizeLessThanOrEqualTo(2 * maxSegments + 10);
            List<LogRecord> logged = server.crashAndReadLog();
            for (int i = 1; i <= 5; i++) {
                Bytes row = Bytes.utf8("stuck-" + i);
                assertThat(logged)
                        .filteredOn(entry -> entry.row().equals(row))
                        .isNotEmpty()
                        .allMatch(entry -> entry.kind() == Kind.COPY);
            }
            assertThat(replayed(server)).containsExactly("value");
        });
    }

    /** As where a directory is full: each has little, and there are many. */
    @Test
    void manyThatCannotBecomeFilesAreAppendedAgainTogether() throws Exception {
        int stuck = 40;
        int segmentBytes = 400_000;
        int maxSegments = 2 + 2 * (8 << 20) / segmentBytes;
        CommitFixture server = new CommitFixture(1, Durability.SYNC, 8 << 20, new LogOptions(segmentBytes));
        HostedTablet filled = server.hostAnother(Durability.SYNC);
        server.run(() -> {
            server.simulation.await(server.hosted.queue().adopt(filled, new Outcomes()), 10_000);
            for (int i = 1; i <= stuck; i++) {
                HostedTablet one = adoptAnother(server, i);
                Write write = new Write(put("stuck", "value"), new WriteId(1, i, i), Optional.empty());
                assertThat(server.simulation
                                .await(server.begin(one, write), 30_000)
                                .failure())
                        .isEmpty();
                server.simulation.await(one.queue().freeze(one), 10_000);
            }
            for (int i = 1; i <= 3 * maxSegments; i++) {
                writeToFile(server, filled, i, segmentBytes);
                assertThat(segments(server)).hasSizeLessThanOrEqualTo(2 * maxSegments + 5);
            }
            assertThat(server.crashAndReadLog())
                    .filteredOn(entry -> entry.row().equals(Bytes.utf8("stuck")))
                    .hasSizeGreaterThanOrEqualTo(stuck)
                    .allMatch(entry -> entry.kind() == Kind.COPY);
        });
    }

    /** And whoever replays the copies knows that a write was forgotten, and does not take a retry of it for a new one. */
    @Test
    void whatCannotBecomeAFileIsAppendedAgainThoughItsTableHasLostWrites() throws Exception {
        int segmentBytes = 400_000;
        int maxSegments = 2 + 2 * (8 << 20) / segmentBytes;
        CommitFixture server = new CommitFixture(1, Durability.SYNC, 8 << 20, new LogOptions(segmentBytes));
        HostedTablet filled = server.hostAnother(Durability.SYNC);
        server.run(() -> {
            Outcomes forgotten = new Outcomes();
            long now = server.scheduler.clock().micros();
            for (int client = 5; client <= 6; client++) {
                forgotten.add(server.hosted.id().tableId(), OpenWrite.lost(client, 1, now));
            }
            server.simulation.await(server.hosted.queue().adopt(filled, forgotten), 10_000);
            server.write("idle", "value", new WriteId(1, 1, 1));
            server.simulation.await(server.hosted.queue().freeze(server.hosted), 10_000);
            for (int i = 1; i <= 4 * maxSegments; i++) {
                writeToFile(server, filled, i, segmentBytes);
                assertThat(segments(server)).hasSizeLessThanOrEqualTo(2 * maxSegments + 5);
            }
            assertThat(server.crashAndReadLog())
                    .filteredOn(entry -> entry.row().equals(Bytes.utf8("idle")))
                    .isNotEmpty()
                    .allMatch(entry -> entry.kind() == Kind.COPY);
            Replayed replayed = replay(server);
            assertThat(replayed.values()).containsExactly("value");
            for (int client = 5; client <= 6; client++) {
                WriteResult retry =
                        replayed.writes().find(new WriteId(client, 1, 1)).orElseThrow();
                assertThat(retry.failure().orElseThrow().outcome()).isEqualTo(BigtableException.Outcome.UNKNOWN);
            }
        });
    }

    /** The copy of the changes ends a segment, and the lost writes behind it begin the next. */
    @Test
    void whatIsBehindAFrozenMemtableIsKeptWhereTheLostWritesOfItsTableBeginASegment() throws Exception {
        int segmentBytes = 400_000;
        CommitFixture server = new CommitFixture(1, Durability.SYNC, 8 << 20, new LogOptions(segmentBytes));
        HostedTablet filled = server.hostAnother(Durability.SYNC);
        server.run(() -> {
            Outcomes forgotten = new Outcomes();
            long now = server.scheduler.clock().micros();
            // About as much as a segment holds.
            for (int client = 100; client < 8_100; client++) {
                forgotten.add(server.hosted.id().tableId(), OpenWrite.lost(client, 1, now));
            }
            server.simulation.await(server.hosted.queue().adopt(filled, forgotten), 10_000);
            server.write("idle", "frozen", new WriteId(1, 1, 1));
            server.simulation.await(server.hosted.queue().freeze(server.hosted), 10_000);
            server.write("idle", "behind it", new WriteId(1, 2, 1));
            String first = segments(server).get(0);
            // Segments go when others begin: some more, and the one with the copy would too, if nobody needed it.
            int more = 5;
            for (int i = 1; more > 0; i++) {
                assertThat(i).isLessThan(1_000);
                more -= segments(server).contains(first) ? 0 : 1;
                writeToFile(server, filled, i, segmentBytes / 2);
            }
            server.crashAndReadLog();
            assertThat(replay(server).values()).containsExactly("behind it", "frozen");
        });
    }

    /** Its files tell of the lost writes once. */
    @Test
    void aTabletWithLostWritesIsWrittenToFilesThoughItHoldsLittle() throws Exception {
        CommitFixture server = server();
        HostedTablet filled = server.hostAnother(Durability.SYNC);
        server.run(() -> {
            Outcomes replayed = new Outcomes();
            Bytes row = Bytes.utf8("idle");
            long now = server.scheduler.clock().micros();
            replayed.add(
                    server.hosted.id().tableId(), new OpenWrite(row, 1, new OpenWrite.Author(5, 1, 1), 1, now).lost());
            server.simulation.await(server.hosted.queue().adopt(filled, replayed), 10_000);
            server.write("idle", "value", new WriteId(1, 1, 1));
            fill(server, filled, MAX_SEGMENTS + 2);
            assertThat(server.hosted.tablet().sizes().memtableBytes()).isZero();
            assertThat(server.compactionsForLog).contains(server.hosted);
            assertThat(server.crashAndReadLog()).noneMatch(entry -> entry.kind() == Kind.COPY);
        });
    }

    /** The idle tablet on another server. */
    private static List<String> replayed(CommitFixture server) throws BigtableException, InterruptedException {
        return replay(server).values();
    }

    /** What the idle row holds, and what is known of writes. */
    private record Replayed(List<String> values, Outcomes writes) {}

    private static Replayed replay(CommitFixture server) throws BigtableException, InterruptedException {
        FileStore files = server.store.process("after");
        files.makeDirectory(LogStream.RECOVERED);
        files.rename(server.stream.directory(), LogStream.RECOVERED + "/7");
        HostedTablet again = server.host.host(server.hosted.id().tableId(), Durability.SYNC, server.hosted.queue());
        Tablet tablet = again.tablet();
        SegmentSorts sorts = new SegmentSorts(files, server.simulation, 9, SEGMENT_BYTES);
        Outcomes writes = new LogReplay(files, sorts, tablet, CommitFixture.REDO_POINT, 1).run(List.of(7L), step -> {});
        ReadSpec idle = ReadSpec.of(RowRange.row(Bytes.utf8("idle")), Filter.ALL);
        List<String> values = tablet.read(idle).cells().stream()
                .map(cell -> cell.value().toUtf8())
                .toList();
        return new Replayed(values, writes);
    }

    @Test
    void aTabletThatHoldsMuchIsWrittenToFiles() throws Exception {
        assertIsWrittenToFiles(1 << 22, 700_000);
    }

    @Test
    void whatIsMuchIsLessWhereAllMayHoldLittle() throws Exception {
        assertIsWrittenToFiles(1 << 17, 20_000);
    }

    /** Of a tablet that holds two values, while another, behind the same log, is written to all the time. */
    private static void assertIsWrittenToFiles(int shareBytes, int valueBytes) throws Exception {
        CommitFixture server = new CommitFixture(1, Durability.SYNC, shareBytes, new LogOptions(shareBytes / 4));
        HostedTablet filled = server.hostAnother(Durability.SYNC);
        server.run(() -> {
            server.simulation.await(server.hosted.queue().adopt(filled, new Outcomes()), 10_000);
            for (int i = 1; i <= 2; i++) {
                server.write("large", "v".repeat(valueBytes), new WriteId(1, i, i));
            }
            List<HostedTablet> asked = new ArrayList<>();
            for (int i = 1; i <= 30 && asked.isEmpty(); i++) {
                Write write =
                        new Write(put("other", "v".repeat(shareBytes / 8)), new WriteId(2, i, i), Optional.empty());
                server.simulation.await(server.begin(filled, write), 30_000);
                server.simulation.pause(1_500);
                server.compactions.stream().filter(server.hosted::equals).forEach(asked::add);
                server.compactions.clear();
                bringToFile(server, filled);
            }
            assertThat(asked).isNotEmpty();
            assertThat(server.hosted.queue().logReport().getFlushes()).isPositive();
            assertThat(server.crashAndReadLog()).noneMatch(entry -> entry.kind() == Kind.COPY);
        });
    }

    @Test
    void whatIsInFilesKeepsNoLog() throws Exception {
        CommitFixture server = server();
        HostedTablet filled = server.hostAnother(Durability.SYNC);
        server.run(() -> {
            server.simulation.await(server.hosted.queue().adopt(filled, new Outcomes()), 10_000);
            fill(server, filled, MAX_SEGMENTS);
            assertThat(segments(server)).hasSizeLessThanOrEqualTo(4);
        });
    }

    @Test
    void whatATabletThatLeavesHadInMemoryKeepsTheLogUntilItsRowNamesTheFiles() throws Exception {
        CommitFixture server = server();
        HostedTablet filled = server.hostAnother(Durability.SYNC);
        server.run(() -> {
            server.simulation.await(server.hosted.queue().adopt(filled, new Outcomes()), 10_000);
            server.write("leaving", "value", new WriteId(1, 1, 1));
            server.simulation.await(server.hosted.queue().disown(server.hosted), 10_000);
            server.hosted.tablet().close();
            fill(server, filled, 6);
            assertThat(segments(server)).hasSizeGreaterThan(6);
            server.hosted.unwritten().clear();
            fill(server, filled, 2);
            assertThat(segments(server)).hasSizeLessThanOrEqualTo(4);
        });
    }

    @Test
    void aCopyTellsWhoseWriteItWasWhileItsClientMayAskAgain() throws Exception {
        CommitFixture server = server();
        HostedTablet filled = server.hostAnother(Durability.SYNC);
        server.run(() -> {
            server.simulation.await(server.hosted.queue().adopt(filled, new Outcomes()), 10_000);
            server.write("idle", "value", new WriteId(1, 1, 1));
            fill(server, filled, MAX_SEGMENTS + 2);
            assertThat(server.crashAndReadLog())
                    .filteredOn(entry -> entry.row().equals(Bytes.utf8("idle")))
                    .isNotEmpty()
                    .allSatisfy(entry -> {
                        assertThat(entry.kind()).isEqualTo(Kind.COPY);
                        assertThat(entry.author().client()).isEqualTo(1);
                        assertThat(entry.author().number()).isEqualTo(1);
                        assertThat(entry.author().result()).isPositive();
                    });
        });
    }
}
