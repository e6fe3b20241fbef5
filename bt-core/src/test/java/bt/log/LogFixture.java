package bt.log;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.fs.FileReader;
import bt.fs.FileStore;
import bt.fs.FileStore.Placement;
import bt.fs.FileWriter;
import bt.log.LogRecord.Author;
import bt.log.LogRecord.Kind;
import bt.log.LogRecord.Origin;
import bt.log.LogRecord.Stamp;
import bt.log.SegmentBegin.Claim;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Records, and segments as plain bytes. */
final class LogFixture {
    static final LogStream STREAM = new LogStream(LogStream.RECOVERED, 7, LogStream.USER);

    private static final List<Kind> KINDS = List.of(Kind.values());

    private LogFixture() {}

    static LogRecord put(long sequence, String row, int bodyBytes) {
        byte[] body = new byte[bodyBytes];
        for (int i = 0; i < bodyBytes; i++) {
            body[i] = (byte) (sequence + i);
        }
        return new LogRecord(
                Kind.MUTATION,
                4,
                1,
                new Stamp(sequence, 1_700_000_000_000_000L + sequence),
                Origin.HERE,
                new Author(0xfeedL, sequence, sequence, 1_700_000_000_000_000L + sequence),
                Bytes.utf8(row),
                Bytes.wrap(body));
    }

    static LogRecord random(RandomGenerator random, long sequence, int maxBytes) {
        byte[] row = new byte[1 + random.nextInt(Math.min(maxBytes, 1 << 16))];
        byte[] body = new byte[random.nextInt(maxBytes)];
        random.nextBytes(row);
        random.nextBytes(body);
        return new LogRecord(
                KINDS.get(random.nextInt(KINDS.size())),
                random.nextLong(),
                random.nextLong(),
                new Stamp(sequence, random.nextLong()),
                new Origin(random.nextLong(), random.nextLong()),
                new Author(random.nextLong(), random.nextLong(), random.nextLong(), random.nextLong()),
                Bytes.wrap(row),
                Bytes.wrap(body));
    }

    /** Every segment of the stream, in order. */
    static List<LogRecord> readAll(FileStore files) throws BigtableException {
        List<LogRecord> found = new ArrayList<>();
        LogReader.open(files, STREAM).readAll(found::add);
        return found;
    }

    /** A full segment for each record, as the log leaves them. */
    static void writeClosed(FileStore files, LogRecord... records) throws BigtableException {
        List<Claim> claims = List.of();
        for (int i = 0; i < records.length; i++) {
            try (SegmentWriter segment = SegmentWriter.create(files, STREAM, i + 1L)) {
                segment.begin(new SegmentBegin(1, claims));
                segment.append(LogBatch.of(List.of(records[i])));
                segment.finish();
                claims = List.of(new Claim(segment.number(), segment.position(), true));
            }
        }
    }

    static byte[] bytes(FileStore files, long segment) throws BigtableException {
        try (FileReader file = files.open(STREAM.path(segment))) {
            byte[] bytes = new byte[(int) file.length()];
            file.readFully(0, bytes, 0, bytes.length);
            return bytes;
        }
    }

    /** A segment of these bytes in the place of what is there. */
    static void replace(FileStore files, String path, byte[] bytes) throws BigtableException {
        files.makeDirectory(path.substring(0, path.lastIndexOf('/')));
        files.delete(path);
        try (FileWriter file = files.create(path, Placement.LOG)) {
            file.append(bytes, 0, bytes.length);
        }
    }
}
