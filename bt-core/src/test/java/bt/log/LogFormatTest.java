package bt.log;

import static bt.log.LogFixture.STREAM;
import static bt.log.LogFixture.bytes;
import static bt.log.LogFixture.readAll;
import static bt.log.LogFixture.replace;
import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Clock;
import bt.fs.FileStore;
import bt.fs.FileWriter;
import bt.log.LogRecord.Author;
import bt.log.LogRecord.Kind;
import bt.log.LogRecord.Origin;
import bt.log.LogRecord.Stamp;
import bt.testing.MemoryFileStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What is on disk stays what it is. */
class LogFormatTest {
    private static final Path GOLDEN = Path.of("src/test/resources/bt/log/v3-user-0000000001");

    /** Nothing writes these any more. */
    private static final Path GOLDEN_1 = Path.of("src/test/resources/bt/log/v1-user-0000000001");

    private static final Path GOLDEN_2 = Path.of("src/test/resources/bt/log/v2-user-0000000001");

    private static final Path PAGE = Path.of("../docs/formats/commit-log.md");

    /** The record of the page's example. */
    private static final LogRecord EXAMPLE = new LogRecord(
            Kind.MUTATION,
            4,
            1,
            new Stamp(300, 1_700_000_000_000_000L),
            Origin.HERE,
            new Author(0xc0ffeeL, 9, 8, 1_700_000_000_000_000L),
            Bytes.utf8("com.cnn.www"),
            Bytes.utf8("body"));

    private final FileStore files = new MemoryFileStore(Clock.system()).process("server");

    /** Batches of the golden file: every kind, and one that crosses a border of blocks. */
    private static List<List<LogRecord>> golden() {
        Random random = new Random(1);
        List<List<LogRecord>> batches = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            batches.add(List.of(LogFixture.random(random, 2L * i, 60), LogFixture.random(random, 2L * i + 1, 60)));
        }
        batches.add(List.of(LogFixture.put(24, "large", 1 << 16)));
        batches.add(List.of(LogFixture.put(25, "small", 1)));
        return batches;
    }

    private byte[] write(List<List<LogRecord>> batches) throws BigtableException {
        files.delete(STREAM.directory());
        files.makeDirectory(STREAM.directory());
        try (SegmentWriter log = SegmentWriter.create(files, STREAM, 1)) {
            log.begin(new SegmentBegin(1, List.of()));
            for (List<LogRecord> batch : batches) {
                log.append(LogBatch.of(batch));
                log.sync();
            }
            log.finish();
        }
        return bytes(files, 1);
    }

    @Test
    void theGoldenFileIsStillWrittenSo() throws Exception {
        byte[] written = write(golden());
        if (Boolean.getBoolean("rewrite")) {
            Files.createDirectories(GOLDEN.getParent());
            Files.write(GOLDEN, written);
        }
        assertThat(Bytes.wrap(written)).isEqualTo(Bytes.wrap(Files.readAllBytes(GOLDEN)));
    }

    @Test
    void theGoldenFileIsStillReadSo() throws Exception {
        replace(files, STREAM.path(1), Files.readAllBytes(GOLDEN));
        assertThat(readAll(files))
                .isEqualTo(golden().stream().flatMap(List::stream).toList());
    }

    @Test
    void theGoldenFilesOfEarlierVersionsAreStillReadSo() throws Exception {
        for (Path earlier : List.of(GOLDEN_1, GOLDEN_2)) {
            replace(files, STREAM.path(1), Files.readAllBytes(earlier));
            assertThat(readAll(files))
                    .as("%s", earlier)
                    .isEqualTo(golden().stream().flatMap(List::stream).toList());
        }
    }

    @Test
    void whatIsPromisedSharesNoChunkWithWhatFollows() throws Exception {
        files.makeDirectory(STREAM.directory());
        SegmentWriter log = SegmentWriter.create(files, STREAM, 1);
        assertThat(log.position() % FileWriter.CHUNK_BYTES).isZero();
        log.begin(new SegmentBegin(1, List.of()));
        for (List<LogRecord> batch : golden()) {
            log.append(LogBatch.of(batch));
            log.sync();
            assertThat(log.synced()).isEqualTo(log.position());
            assertThat(log.synced() % FileWriter.CHUNK_BYTES).isZero();
        }
        log.abandon();
    }

    @Test
    void theExampleOfThePageIsASegment() throws Exception {
        replace(files, STREAM.path(1), example().toArray());
        assertThat(readAll(files)).containsExactly(EXAMPLE);
        assertThat(Bytes.wrap(write(List.of(List.of(EXAMPLE))))).isEqualTo(example());
    }

    /** Lines of {@code <hex bytes> ; <meaning>}, or {@code 00 * <count>}, between the fences of the page's one hex example. */
    private static Bytes example() throws IOException {
        StringBuilder digits = new StringBuilder();
        boolean inside = false;
        for (String line : Files.readAllLines(PAGE)) {
            if (line.startsWith("```")) {
                inside = line.equals("```hex");
            } else if (inside) {
                String[] bytes = line.replaceFirst(";.*", "").split("\\*", 2);
                int times = bytes.length == 1 ? 1 : Integer.parseInt(bytes[1].strip());
                digits.append(bytes[0].replaceAll("\\s", "").repeat(times));
            }
        }
        return Bytes.hex(digits.toString());
    }
}
