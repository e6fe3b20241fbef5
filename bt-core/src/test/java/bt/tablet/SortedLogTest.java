package bt.tablet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Clock;
import bt.base.CorruptionException;
import bt.base.ThreadScheduler;
import bt.fs.FileInfo;
import bt.fs.FileReader;
import bt.fs.FileStore;
import bt.fs.FileStore.Placement;
import bt.fs.FileWriter;
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
import bt.model.RowRange;
import bt.sstable.SSTableWriter;
import bt.testing.FileOperation;
import bt.testing.MemoryFileStore;
import bt.testing.SeededTest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SortedLogTest {
    private static final LogStream STREAM = new LogStream(LogStream.RECOVERED, 7, LogStream.USER);
    private static final Path GOLDEN = Path.of("src/test/resources/bt/tablet/v1-sorted-log");
    private static final Path PAGE = Path.of("../docs/formats/sorted-log.md");

    private final ThreadScheduler scheduler = new ThreadScheduler();
    private final AtomicInteger reads = new AtomicInteger();
    private final FileStore files = new MemoryFileStore(Clock.system(), (process, operation, path) -> {
                if (operation == FileOperation.READ) {
                    reads.incrementAndGet();
                }
            })
            .process("server");

    @AfterEach
    void close() {
        scheduler.close();
    }

    private static LogRecord put(long table, Bytes row, long sequence, Bytes body) {
        return entry(Kind.MUTATION, table, row, sequence, body);
    }

    private static LogRecord entry(Kind kind, long table, Bytes row, long sequence, Bytes body) {
        return new LogRecord(
                kind,
                table,
                1,
                new Stamp(sequence, 1_000_000 + sequence),
                Origin.HERE,
                new Author(3, sequence, sequence, 1_000_000 + sequence),
                row,
                body);
    }

    /** One segment that holds these, closed. */
    private void log(List<LogRecord> records) throws BigtableException, InterruptedException {
        files.delete(STREAM.directory());
        files.makeDirectory(STREAM.directory());
        CommitLog log = CommitLog.open(files, STREAM, new LogOptions(1 << 30, 60_000, 60_000), scheduler);
        for (LogRecord entry : records) {
            log.write(LogBatch.of(List.of(entry)), false);
            assertThat(log.settle()).isTrue();
        }
        log.close();
        for (FileInfo segment : files.list(STREAM.directory())) {
            files.fence(STREAM.directory() + "/" + segment.name(), 1_000);
        }
    }

    private boolean sort(String sorter) throws BigtableException {
        return SortedLog.sort(files, LogReader.open(files, STREAM), 1, sorter);
    }

    private List<LogRecord> read(long table, RowRange range) throws BigtableException {
        List<LogRecord> found = new ArrayList<>();
        SortedLog.read(files, SortedLog.path(STREAM, 1), table, range, found::add);
        return found;
    }

    @SeededTest(runs = 30)
    void aTabletsPartIsItsRecordsByRowAndSequence(RandomGenerator random) throws Exception {
        List<LogRecord> written = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            byte[] row = new byte[1 + random.nextInt(3)];
            for (int at = 0; at < row.length; at++) {
                row[at] = (byte) random.nextInt(3);
            }
            byte[] body = new byte[random.nextInt(500)];
            random.nextBytes(body);
            Kind kind = random.nextInt(5) == 0 ? Kind.COPY : Kind.MUTATION;
            written.add(entry(kind, 1L + random.nextInt(3), Bytes.wrap(row), i, Bytes.wrap(body)));
        }
        log(written);
        assertThat(sort("a")).isTrue();
        for (int i = 0; i < 20; i++) {
            Bytes start = Bytes.wrap(new byte[] {(byte) random.nextInt(3)});
            Optional<Bytes> end = random.nextInt(3) == 0
                    ? Optional.empty()
                    : Optional.of(Bytes.wrap(new byte[] {(byte) random.nextInt(3), (byte) random.nextInt(3)}));
            RowRange range = new RowRange(random.nextBoolean() ? Bytes.EMPTY : start, end);
            long table = 1L + random.nextInt(4);
            assertThat(read(table, range))
                    .isEqualTo(written.stream()
                            .filter(entry -> entry.tableId() == table && range.contains(entry.row()))
                            .sorted(Comparator.comparing(LogRecord::row)
                                    .thenComparingLong(entry -> entry.stamp().firstSequence()))
                            .toList());
        }
    }

    @Test
    void aTabletsPartIsOneSeekAndOneSequentialRead() throws Exception {
        // Ten thousand rows of a kilobyte, in an order of their own: a tablet's part is everywhere in the segment.
        List<LogRecord> written = new ArrayList<>();
        java.util.Random random = new java.util.Random(1);
        LongStream.range(0, 10_000).forEach(i -> {
            byte[] body = new byte[1_000];
            random.nextBytes(body);
            written.add(put(4, row(i * 7_919 % 10_000), i, Bytes.wrap(body)));
        });
        log(written);
        assertThat(sort("a")).isTrue();
        // Sixty rows lie within what the first read brings; of it, before it and after it nothing is read.
        reads.set(0);
        assertThat(read(4, new RowRange(row(5_000), Optional.of(row(5_060))))).hasSize(60);
        int opening = 2;
        assertThat(reads).hasValueLessThanOrEqualTo(opening + 1);
        // A tablet of any later split is found the same way: three thousand rows are a few reads, each behind the last.
        reads.set(0);
        assertThat(read(4, new RowRange(row(2_000), Optional.of(row(5_000))))).hasSize(3_000);
        assertThat(reads).hasValueLessThanOrEqualTo(opening + 8);
    }

    private static Bytes row(long number) {
        return Bytes.utf8("row-%05d".formatted(number));
    }

    @Test
    void whoIsFirstHasSorted() throws Exception {
        log(List.of(put(4, row(1), 1, Bytes.utf8("one"))));
        // Somebody died while he sorted.
        files.makeDirectory(STREAM.directory() + "/sorted");
        try (FileWriter torn = files.create(SortedLog.path(STREAM, 1) + ".dead", Placement.DATA)) {
            torn.append(new byte[10], 0, 10);
        }
        assertThat(sort("a")).isTrue();
        FileInfo first = sorted().get(0);
        assertThat(sort("b")).isTrue();
        assertThat(sorted()).extracting(FileInfo::name).containsExactly("user-0000000001", "user-0000000001.dead");
        assertThat(sorted().get(0)).isEqualTo(first);
        assertThat(read(4, RowRange.ALL)).hasSize(1);
    }

    private List<FileInfo> sorted() throws BigtableException {
        return files.list(STREAM.directory() + "/sorted");
    }

    @Test
    void whatNoSSTableTakesIsNotSorted() throws Exception {
        log(List.of(put(4, row(1), 1, Bytes.wrap(new byte[SSTableWriter.MAX_VALUE_BYTES]))));
        assertThat(sort("a")).isFalse();
        assertThat(sorted()).isEmpty();
    }

    @Test
    void aDamagedSegmentLeavesNothingSorted() throws Exception {
        log(List.of(put(4, row(1), 1, Bytes.utf8("one")), put(4, row(2), 2, Bytes.utf8("two"))));
        byte[] bytes;
        try (FileReader segment = files.open(STREAM.path(1))) {
            bytes = new byte[(int) segment.length()];
            segment.readFully(0, bytes, 0, bytes.length);
        }
        bytes[130] ^= 1;
        files.delete(STREAM.path(1));
        try (FileWriter damaged = files.create(STREAM.path(1), Placement.LOG)) {
            damaged.append(bytes, 0, bytes.length);
        }
        assertThatThrownBy(() -> sort("a"))
                .isInstanceOf(CorruptionException.class)
                .hasMessageStartingWith(STREAM.path(1));
        assertThat(sorted()).isEmpty();
    }

    @Test
    void theGoldenFileIsStillReadSo() throws Exception {
        List<LogRecord> golden = new ArrayList<>();
        for (int i = 1; i <= 50; i++) {
            Kind kind = i % 7 == 0 ? Kind.COPY : Kind.MUTATION;
            golden.add(entry(kind, i % 3, row(50 - i), i, Bytes.utf8("body " + i)));
        }
        String path = SortedLog.path(STREAM, 1);
        if (Boolean.getBoolean("rewrite")) {
            log(golden);
            assertThat(sort("a")).isTrue();
            try (FileReader sorted = files.open(path)) {
                byte[] bytes = new byte[(int) sorted.length()];
                sorted.readFully(0, bytes, 0, bytes.length);
                Files.write(GOLDEN, bytes);
            }
        }
        byte[] bytes = Files.readAllBytes(GOLDEN);
        files.delete(STREAM.directory());
        files.makeDirectory(STREAM.directory() + "/sorted");
        try (FileWriter written = files.create(path, Placement.DATA)) {
            written.append(bytes, 0, bytes.length);
        }
        for (long table = 0; table < 3; table++) {
            long of = table;
            assertThat(read(table, RowRange.ALL))
                    .isEqualTo(golden.stream()
                            .filter(entry -> entry.tableId() == of)
                            .sorted(Comparator.comparing(LogRecord::row))
                            .toList());
        }
    }

    @Test
    void theKeyIsThatOfThePage() throws Exception {
        StringBuilder digits = new StringBuilder();
        boolean inside = false;
        for (String line : Files.readAllLines(PAGE)) {
            if (line.startsWith("```")) {
                inside = line.equals("```hex");
            } else if (inside) {
                digits.append(line.replaceFirst(";.*", "").replaceAll("\\s", ""));
            }
        }
        LogRecord example = put(4, Bytes.utf8("com.cnn.www"), 300, Bytes.EMPTY);
        assertThat(SortedLog.key(example)).isEqualTo(Bytes.hex(digits.toString()));
    }
}
