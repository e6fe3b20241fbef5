package bt.log;

import static bt.log.LogFixture.STREAM;
import static bt.log.LogFixture.bytes;
import static bt.log.LogFixture.put;
import static bt.log.LogFixture.readAll;
import static bt.log.LogFixture.replace;
import static bt.log.LogFixture.writeClosed;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.Clock;
import bt.base.CorruptionException;
import bt.base.Output;
import bt.fs.FileStore;
import bt.fs.FileWriter;
import bt.testing.MemoryFileStore;
import bt.testing.SeededTest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Where a log may end, and where it may not. */
class LogTornTailTest {
    private final FileStore files = new MemoryFileStore(Clock.system()).process("server");
    private final List<LogRecord> written = new ArrayList<>();

    /** Where each batch ended, before the zeros that fill its chunk. */
    private final List<Integer> ends = new ArrayList<>();

    private byte[] whole = new byte[0];

    @BeforeEach
    void makeDirectory() throws Exception {
        files.makeDirectory(STREAM.directory());
    }

    /** One segment, each batch synced, left open. */
    private void write(int... bodyBytes) throws Exception {
        List<Integer> lengths = new ArrayList<>();
        SegmentWriter log = SegmentWriter.create(files, STREAM, 1);
        log.begin(new SegmentBegin(1, List.of()));
        for (int bytes : bodyBytes) {
            LogRecord first = put(2L * written.size(), "com.example/" + written.size(), bytes);
            LogRecord second = put(2L * written.size() + 1, "com.example/" + written.size(), 1);
            log.append(LogBatch.of(List.of(first, second)));
            log.sync();
            written.addAll(List.of(first, second));
            lengths.add((int) log.synced());
        }
        log.abandon();
        files.fence(STREAM.path(1), 1000);
        whole = bytes(files, 1);
        lengths.forEach(length -> ends.add(withoutZeros(length)));
    }

    /** No record here ends with a zero. */
    private int withoutZeros(int length) {
        int end = length;
        while (whole[end - 1] == 0) {
            end--;
        }
        return end;
    }

    private List<LogRecord> batchesBefore(int length) {
        int batches = (int) ends.stream().filter(end -> end <= length).count();
        return written.subList(0, 2 * batches);
    }

    @Test
    void everyPrefixGivesExactlyItsWholeBatches() throws Exception {
        write(0, 10, 100, 1, 300, 20);
        for (int length = 0; length <= whole.length; length++) {
            replace(files, STREAM.path(1), Arrays.copyOf(whole, length));
            assertThat(readAll(files)).as("prefix of %d", length).isEqualTo(batchesBefore(length));
        }
    }

    @Test
    void everyPrefixRoundABlockBorderGivesExactlyItsWholeBatches() throws Exception {
        // The second batch ends within a chunk of the first border, so that the next begins there; that crosses two.
        write(10, 63_700, 150_000, 10);
        assertThat(ends.get(1)).isBetween(Piece.BLOCK_BYTES - FileWriter.CHUNK_BYTES + 1, Piece.BLOCK_BYTES);
        for (int border = Piece.BLOCK_BYTES; border < whole.length; border += Piece.BLOCK_BYTES) {
            for (int length = border - 60; length <= border + 60; length++) {
                replace(files, STREAM.path(1), Arrays.copyOf(whole, length));
                assertThat(readAll(files)).as("prefix of %d", length).isEqualTo(batchesBefore(length));
            }
        }
    }

    @SeededTest(runs = 100)
    void aTailOfRubbishIsTorn(RandomGenerator random) throws Exception {
        if (written.isEmpty()) {
            write(0, 10, 65_000, 1, 300, 20);
        }
        int length;
        do {
            length = random.nextInt(whole.length + 1);
            // A header of another version is refused, whatever else is in it.
        } while (length >= SegmentHeader.MAGIC.length() && length < SegmentHeader.MAGIC.length() + Integer.BYTES);
        byte[] tail = new byte[random.nextInt(200_000)];
        if (random.nextBoolean()) {
            random.nextBytes(tail);
        }
        byte[] torn = Arrays.copyOf(whole, length + tail.length);
        System.arraycopy(tail, 0, torn, length, tail.length);
        replace(files, STREAM.path(1), torn);
        assertThat(readAll(files)).isEqualTo(batchesBefore(length));
    }

    @Test
    void everyFlippedBitBelowASyncedLengthIsDamage() throws Exception {
        write(0, 10, 100, 1, 300, 20);
        // What the last batch's header says was synced before it.
        int synced = ends.get(ends.size() - 2);
        for (int bit = 0; bit < synced * 8; bit++) {
            assertDamaged(bit, whole);
        }
    }

    @Test
    void flippedBitsOfLargeBatchesAreDamage() throws Exception {
        write(10, 63_700, 150_000, 10);
        Random random = new Random(1);
        int synced = ends.get(ends.size() - 2);
        for (int i = 0; i < 2_000; i++) {
            assertDamaged(random.nextInt(synced * 8), whole);
        }
        for (int bit = ends.get(1) * 8; bit < (Piece.BLOCK_BYTES + Piece.HEADER_BYTES) * 8; bit++) {
            assertDamaged(bit, whole);
        }
    }

    @Test
    void everyFlippedBitOfASegmentThatAnotherFollowsIsDamage() throws Exception {
        writeClosed(files, put(0, "a", 10), put(1, "b", 10));
        byte[] first = bytes(files, 1);
        for (int bit = 0; bit < first.length * 8; bit++) {
            assertDamaged(bit, first);
        }
    }

    @Test
    void aSegmentThatAnotherFollowsMayNotBeShorter() throws Exception {
        writeClosed(files, put(0, "a", 10), put(1, "b", 10));
        byte[] first = bytes(files, 1);
        for (int length = 0; length < first.length; length++) {
            replace(files, STREAM.path(1), Arrays.copyOf(first, length));
            assertThatThrownBy(() -> LogReader.open(files, STREAM).read(1, entry -> {}))
                    .isInstanceOf(CorruptionException.class)
                    .hasMessageContaining("closed with " + first.length + " bytes");
        }
    }

    @Test
    void aSegmentOfVersion1ThatAnotherFollowsMayNotBeShorter() throws Exception {
        byte[] first = Files.readAllBytes(Path.of("src/test/resources/bt/log/v1-user-0000000001"));
        Output second = new Output();
        new SegmentHeader(1, first.length).encode(STREAM, 2, second);
        replace(files, STREAM.path(2), second.toArray());
        replace(files, STREAM.path(1), first);
        assertThat(readAll(files)).isNotEmpty();
        for (int length = 0; length < first.length; length += 1 + length / 50) {
            replace(files, STREAM.path(1), Arrays.copyOf(first, length));
            assertThatThrownBy(() -> LogReader.open(files, STREAM).read(1, entry -> {}))
                    .isInstanceOf(CorruptionException.class)
                    .hasMessageContaining("closed with " + first.length + " bytes");
        }
    }

    @Test
    void aClosedSegmentThatLostItsFooterIsDamageOnlyWhereAnotherFollows() throws Exception {
        writeClosed(files, put(0, "a", 10), put(1, "b", 10));
        for (long segment = 1; segment <= 2; segment++) {
            byte[] closed = bytes(files, segment);
            replace(files, STREAM.path(segment), Arrays.copyOf(closed, closed.length - FileWriter.CHUNK_BYTES));
        }
        LogReader reader = LogReader.open(files, STREAM);
        assertThatThrownBy(() -> reader.read(1, entry -> {})).isInstanceOf(CorruptionException.class);
        assertThat(reader.read(2, entry -> {})).isEqualTo(new SegmentSummary(2, 1, false, OptionalLong.empty()));
    }

    @Test
    void aSegmentBeginsOnceAndFirst() throws Exception {
        SegmentBegin begin = new SegmentBegin(1, List.of());
        try (SegmentWriter twice = SegmentWriter.create(files, STREAM, 1)) {
            twice.begin(begin);
            twice.begin(begin);
            twice.finish();
        }
        assertThatThrownBy(() -> readAll(files))
                .isInstanceOf(CorruptionException.class)
                .hasMessageStartingWith(STREAM.path(1) + " at 1024: the beginning of the segment");
        files.delete(STREAM.path(1));
        try (SegmentWriter never = SegmentWriter.create(files, STREAM, 1)) {
            never.append(LogBatch.of(List.of(put(0, "a", 10))));
            never.finish();
        }
        assertThatThrownBy(() -> readAll(files))
                .isInstanceOf(CorruptionException.class)
                .hasMessageStartingWith(STREAM.path(1) + " at 512: the beginning of the segment");
    }

    @Test
    void aVersionOfTheFutureIsRefused() throws Exception {
        writeClosed(files, put(0, "a", 10));
        byte[] later = bytes(files, 1);
        later[SegmentHeader.MAGIC.length()] = SegmentHeader.VERSION + 1;
        replace(files, STREAM.path(1), later);
        assertThatThrownBy(() -> readAll(files))
                .isInstanceOf(CorruptionException.class)
                .hasMessageContaining("commit log version 4, this bt reads versions 1 to 3");
    }

    @Test
    void nothingComesAfterAFooter() throws Exception {
        writeClosed(files, put(0, "a", 10));
        byte[] closed = bytes(files, 1);
        replace(files, STREAM.path(1), Arrays.copyOf(closed, closed.length + 1));
        assertThatThrownBy(() -> readAll(files))
                .isInstanceOf(CorruptionException.class)
                .hasMessage(STREAM.path(1) + " at " + closed.length + ": 1 bytes after the footer");
    }

    @Test
    void aMissingSegmentIsDamage() throws Exception {
        writeClosed(files, put(0, "a", 10), put(1, "b", 10), put(2, "c", 10));
        for (int missing = 2; missing >= 1; missing--) {
            files.delete(STREAM.path(missing));
            assertThatThrownBy(() -> readAll(files))
                    .isInstanceOf(CorruptionException.class)
                    .hasMessageContaining(STREAM.path(missing) + ": the segment is missing");
        }
    }

    @Test
    void aTailOfAnotherSegmentIsTorn() throws Exception {
        write(0, 10, 100);
        LogStream other = new LogStream(STREAM.root(), 8, STREAM.name());
        Output mixed = new Output();
        new SegmentHeader(SegmentHeader.VERSION, SegmentHeader.AHEAD).encode(other, 1, mixed);
        int header = mixed.size();
        mixed.raw(whole, header, whole.length - header);
        replace(files, other.path(1), mixed.toArray());

        SegmentSummary found = LogReader.open(files, other).read(1, entry -> {
            throw new AssertionError(entry);
        });
        assertThat(found).isEqualTo(new SegmentSummary(1, 0, false, OptionalLong.of(Piece.nextChunk(header))));
    }

    @Test
    void aSegmentInAnotherPlaceIsDamage() throws Exception {
        write(0);
        LogStream other = new LogStream(STREAM.root(), 8, STREAM.name());
        replace(files, other.path(1), whole);
        assertThatThrownBy(() -> LogReader.open(files, other).read(1, entry -> {}))
                .isInstanceOf(CorruptionException.class)
                .hasMessageStartingWith(other.path(1) + " at ")
                .hasMessageContaining("the header is of epoch 7, segment 1 of stream user");
    }

    private void assertDamaged(int bit, byte[] good) throws BigtableException {
        byte[] flipped = good.clone();
        flipped[bit / 8] ^= (byte) (1 << bit % 8);
        replace(files, STREAM.path(1), flipped);
        assertThatThrownBy(() -> LogReader.open(files, STREAM).read(1, entry -> {}))
                .as("bit %d of byte %d", bit % 8, bit / 8)
                .isInstanceOf(CorruptionException.class)
                .hasMessageStartingWith(STREAM.path(1) + " at ");
    }
}
