package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Scheduler.Worker;
import bt.fs.FileInfo;
import bt.fs.FileStore;
import bt.log.CommitLog;
import bt.log.LogBatch;
import bt.log.LogOptions;
import bt.log.LogReader;
import bt.log.LogRecord;
import bt.log.LogRecord.Author;
import bt.log.LogRecord.Kind;
import bt.log.LogRecord.Origin;
import bt.log.LogRecord.Stamp;
import bt.log.LogStream;
import bt.tablet.SortedLog;
import bt.testing.FileOperation;
import bt.testing.MemoryFileStore;
import bt.testing.SimScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SegmentSortsTest {
    private static final LogStream STREAM = new LogStream(LogStream.RECOVERED, 7, LogStream.USER);
    private static final LogStream OTHER = new LogStream(LogStream.RECOVERED, 8, LogStream.USER);
    private static final long SEGMENT_BYTES = 100_000;

    private final SimScheduler scheduler = new SimScheduler(1);

    /** How often each segment was opened, by who did. */
    private final Map<String, Integer> opened = new TreeMap<>();

    /** How many directories were listed, by who did. */
    private final Map<String, Integer> listed = new TreeMap<>();

    /** When what a server sorts was created and renamed, by the server, the operation and the path that it had. */
    private final Map<String, Long> times = new TreeMap<>();

    private long delayMicros = 1_000;

    /** The last step of a sort: who looks meanwhile sees it at work. */
    private long renameMicros;

    private final MemoryFileStore store = new MemoryFileStore(scheduler.clock(), (process, operation, path) -> {
        if (operation == FileOperation.OPEN) {
            opened.merge(process + " " + path, 1, Integer::sum);
        }
        if (operation == FileOperation.LIST) {
            listed.merge(process, 1, Integer::sum);
        }
        scheduler.delay(operation == FileOperation.RENAME ? delayMicros + renameMicros : delayMicros);
        times.put(process + " " + operation + " " + path, scheduler.clock().nanos());
    });
    private final FileStore files = store.process("dead");

    /** Some full segments. */
    private void log(int segments) throws BigtableException, InterruptedException {
        log(STREAM, segments);
    }

    private void log(LogStream stream, int segments) throws BigtableException, InterruptedException {
        files.makeDirectory(stream.directory());
        CommitLog log = CommitLog.open(files, stream, new LogOptions(SEGMENT_BYTES), scheduler);
        for (long i = 1; i <= segments; i++) {
            scheduler.pause(1_000);
            LogRecord entry = new LogRecord(
                    Kind.MUTATION,
                    4,
                    1,
                    new Stamp(i, i),
                    Origin.HERE,
                    Author.NONE,
                    Bytes.utf8("row-" + i),
                    Bytes.wrap(new byte[(int) SEGMENT_BYTES]));
            log.write(LogBatch.of(List.of(entry)), true);
            assertThat(log.settle()).isTrue();
        }
        log.close();
        for (FileInfo segment : files.list(stream.directory())) {
            files.fence(stream.directory() + "/" + segment.name(), 1_000);
        }
    }

    private Set<Long> sort(SegmentSorts sorts, FileStore by) throws BigtableException, InterruptedException {
        return sorts.sort(LogReader.open(by, STREAM));
    }

    @Test
    void aSegmentIsReadAndSortedOnceForAllTabletsOfAServer() {
        FileStore server = store.process("server");
        SegmentSorts sorts = new SegmentSorts(server, scheduler, 9, SEGMENT_BYTES);
        scheduler.run(Duration.ofMinutes(1), () -> {
            try {
                log(3);
                assertThat(sort(sorts, server)).containsExactly(1L, 2L, 3L);
                opened.clear();
                assertThat(sort(sorts, server)).containsExactly(1L, 2L, 3L);
                // To see how it begins.
                assertThat(opened.get("server " + STREAM.path(1))).isEqualTo(1);
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    /** A server's loads begin together. */
    @Test
    void loadsThatComeTogetherListNoMoreThanOneDoes() {
        FileStore alone = store.process("alone");
        SegmentSorts ofOne = new SegmentSorts(alone, scheduler, 9, SEGMENT_BYTES);
        FileStore server = store.process("server");
        SegmentSorts ofMany = new SegmentSorts(server, scheduler, 9, SEGMENT_BYTES);
        scheduler.run(Duration.ofMinutes(5), () -> {
            try {
                log(STREAM, 3);
                log(OTHER, 3);
                assertThat(ofOne.sort(ofOne.open(STREAM))).hasSize(3);
                List<Worker> loads = new ArrayList<>();
                for (int i = 0; i < 8; i++) {
                    loads.add(scheduler.start("load-" + i, () -> {
                        try {
                            assertThat(ofMany.sort(ofMany.open(OTHER))).hasSize(3);
                        } catch (BigtableException failed) {
                            throw new AssertionError(failed);
                        }
                    }));
                }
                for (Worker load : loads) {
                    assertThat(load.join(60_000)).isTrue();
                }
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
        assertThat(listed.get("server")).isEqualTo(listed.get("alone"));
    }

    @Test
    void serversThatRecoverTheSameLogShareTheWork() {
        scheduler.run(Duration.ofMinutes(1), () -> {
            try {
                log(8);
                opened.clear();
                Worker one = scheduler.start("one", () -> recover(9));
                Worker other = scheduler.start("other", () -> recover(13));
                assertThat(one.join(60_000)).isTrue();
                assertThat(other.join(60_000)).isTrue();
                // Each looks at how all of them begin, and reads what it sorts: about half of them.
                int reads = opened.values().stream().mapToInt(Integer::intValue).sum();
                assertThat(reads).isBetween(2 * 9 + 8, 2 * 9 + 8 + 2);
                assertThat(files.list(STREAM.directory() + "/sorted")).hasSize(8);
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    @Test
    void whoWaitsForAnotherLoadOfItsServerDoesNotLosePatienceWithOtherServers() {
        scheduler.run(Duration.ofMinutes(60), () -> {
            try {
                log(7);
                opened.clear();
                renameMicros = 4_000_000;
                List<Worker> loads = new ArrayList<>();
                for (long epoch : new long[] {9, 13}) {
                    // So that the two do not end, and take the last one that is left, at the same moment.
                    scheduler.pause(renameMicros / 2_000);
                    SegmentSorts sorts = sorts(epoch);
                    for (int i = 0; i < 4; i++) {
                        loads.add(scheduler.start("load", () -> recover(sorts, epoch, 7)));
                    }
                }
                for (Worker load : loads) {
                    assertThat(load.join(600_000)).isTrue();
                }
                int reads = opened.values().stream().mapToInt(Integer::intValue).sum();
                assertThat(reads).isEqualTo(8 * 8 + 7);
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    private SegmentSorts sorts(long epoch) {
        return new SegmentSorts(store.process("server-" + epoch), scheduler, epoch, SEGMENT_BYTES);
    }

    private void recover(long epoch) throws InterruptedException {
        recover(sorts(epoch), epoch, 8);
    }

    private void recover(SegmentSorts sorts, long epoch, int segments) throws InterruptedException {
        try {
            assertThat(sort(sorts, store.process("server-" + epoch))).hasSize(segments);
        } catch (BigtableException failed) {
            throw new AssertionError(failed);
        }
    }

    @Test
    void whatAnotherHasBegunIsSortedLastAndOnlyIfItTakesTooLong() {
        FileStore server = store.process("server");
        SegmentSorts sorts = new SegmentSorts(server, scheduler, 9, SEGMENT_BYTES);
        scheduler.run(Duration.ofMinutes(1), () -> {
            try {
                log(3);
                // Its sorter has died in the middle.
                String unfinished = SortedLog.unfinished(SortedLog.path(STREAM, 1), "13");
                files.makeDirectory(SortedLog.directory(STREAM));
                files.create(unfinished, FileStore.Placement.DATA).sync();
                long began = scheduler.clock().nanos();
                assertThat(sort(sorts, server)).containsExactly(1L, 2L, 3L);
                assertThat(Duration.ofNanos(scheduler.clock().nanos() - began))
                        .isBetween(Duration.ofSeconds(3), Duration.ofSeconds(5));
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    @Test
    void whereASortTakesLongAnotherMayTakeTwiceAsLong() {
        FileStore server = store.process("server");
        SegmentSorts sorts = new SegmentSorts(server, scheduler, 9, SEGMENT_BYTES);
        scheduler.run(Duration.ofMinutes(60), () -> {
            try {
                log(2);
                files.makeDirectory(SortedLog.directory(STREAM));
                files.create(SortedLog.unfinished(SortedLog.path(STREAM, 1), "13"), FileStore.Placement.DATA)
                        .sync();
                delayMicros = 2_000_000;
                assertThat(sort(sorts, server)).containsExactly(1L, 2L);
                long began = time(FileOperation.CREATE, 2);
                long ended = time(FileOperation.RENAME, 2);
                assertThat(ended - began).isGreaterThan(Duration.ofSeconds(3).toNanos());
                assertThat(time(FileOperation.CREATE, 1) - ended).isGreaterThan(2 * (ended - began));
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    private long time(FileOperation operation, long segment) {
        String path = SortedLog.unfinished(SortedLog.path(STREAM, segment), "9");
        return times.getOrDefault("server " + operation + " " + path, 0L);
    }

    /** Two servers have died, and the log of one is closed before that of the other. */
    @Test
    void aLoadDoesNotWaitForWhatIsSortedEarlyOfAnotherLog() {
        FileStore server = store.process("server");
        SegmentSorts sorts = new SegmentSorts(server, scheduler, 9, SEGMENT_BYTES);
        scheduler.run(Duration.ofMinutes(60), () -> {
            try {
                log(STREAM, 3);
                log(OTHER, 8);
                renameMicros = 10_000_000;
                Worker early = scheduler.start("early", () -> sortClosed(sorts, OTHER));
                scheduler.pause(5_000);
                long began = scheduler.clock().nanos();
                renameMicros = 3_000_000;
                assertThat(sort(sorts, server)).containsExactly(1L, 2L, 3L);
                assertThat(Duration.ofNanos(scheduler.clock().nanos() - began)).isLessThan(Duration.ofSeconds(11));
                // It gave way after the segment that it had begun.
                assertThat(early.join(600_000)).isTrue();
                assertThat(server.list(SortedLog.directory(OTHER))).hasSize(1);
                sortClosed(sorts, OTHER);
                assertThat(server.list(SortedLog.directory(OTHER))).hasSize(8);
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    @Test
    void aLoadPassesAnEarlySortOfItsServerThatHangs() {
        FileStore server = store.process("server");
        SegmentSorts sorts = new SegmentSorts(server, scheduler, 9, SEGMENT_BYTES);
        scheduler.run(Duration.ofMinutes(60), () -> {
            try {
                log(3);
                renameMicros = 500_000_000;
                Worker early = scheduler.start("early", () -> sortClosed(sorts, STREAM));
                scheduler.pause(1_000);
                renameMicros = 0;
                long began = scheduler.clock().nanos();
                assertThat(sort(sorts, server)).containsExactly(1L, 2L, 3L);
                assertThat(Duration.ofNanos(scheduler.clock().nanos() - began)).isLessThan(Duration.ofSeconds(5));
                assertThat(early.join(600_000)).isTrue();
                assertThat(server.list(SortedLog.directory(STREAM))).hasSize(3);
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    @Test
    void whatIsSortedEarlyIsNoStepOfALoad() {
        FileStore server = store.process("server");
        SegmentSorts sorts = new SegmentSorts(server, scheduler, 9, SEGMENT_BYTES);
        scheduler.run(Duration.ofMinutes(60), () -> {
            try {
                log(3);
                long before = sorts.endedNanos();
                sortClosed(sorts, STREAM);
                assertThat(server.list(SortedLog.directory(STREAM))).hasSize(3);
                assertThat(sorts.endedNanos()).isEqualTo(before);
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    private static void sortClosed(SegmentSorts sorts, LogStream stream) throws InterruptedException {
        try {
            sorts.sortClosed(stream);
        } catch (BigtableException failed) {
            throw new AssertionError(failed);
        }
    }

    @Test
    void aSmallSegmentIsNotWorthIt() {
        FileStore server = store.process("server");
        SegmentSorts sorts = new SegmentSorts(server, scheduler, 9, SEGMENT_BYTES * 1_000);
        scheduler.run(Duration.ofMinutes(1), () -> {
            try {
                log(2);
                assertThat(sort(sorts, server)).isEmpty();
                assertThat(server.list(STREAM.directory() + "/sorted")).isEmpty();
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }
}
