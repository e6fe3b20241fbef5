package bt.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.base.Output;
import bt.log.LogRecord;
import bt.log.LogRecord.Author;
import bt.log.LogRecord.Kind;
import bt.log.LogRecord.Origin;
import bt.log.LogRecord.Stamp;
import bt.sstable.SSTableWriter;
import bt.testing.SeededTest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class SortedRunsTest {
    @SeededTest(runs = 200)
    void inRunsOfAnySizeTheOrderIsThatOfAllAtOnce(RandomGenerator random) throws Exception {
        SortedRuns runs = new SortedRuns(1 + random.nextInt(20_000));
        List<LogRecord> written = new ArrayList<>();
        int count = random.nextInt(300);
        for (int i = 0; i < count; i++) {
            LogRecord entry = random(random, i);
            written.add(entry);
            runs.accept(entry);
        }
        // A stable sort: of what is appended twice the first stays first.
        written.sort(Comparator.comparingLong(LogRecord::tableId)
                .thenComparing(LogRecord::row)
                .thenComparingLong(entry -> entry.stamp().firstSequence())
                .thenComparingInt(entry -> entry.kind().number()));
        RunMerge merge = runs.merge("segment");
        for (LogRecord expected : written) {
            assertThat(merge.isAtEnd()).isFalse();
            assertThat(merge.entry()).isEqualTo(expected);
            Output value = new Output().u8(SortedLog.VALUE_FORMAT);
            expected.encode(value);
            assertThat(merge.value().toBytes()).isEqualTo(value.toBytes());
            merge.next();
        }
        assertThat(merge.isAtEnd()).isTrue();
    }

    /** Few rows and sequences, so that many have the same; each has a schema version of its own. */
    private static LogRecord random(RandomGenerator random, int number) {
        byte[] row = new byte[random.nextInt(4)];
        for (int at = 0; at < row.length; at++) {
            row[at] = (byte) (random.nextInt(3) - 1);
        }
        byte[] body = new byte[random.nextInt(500)];
        random.nextBytes(body);
        Kind kind = random.nextBoolean() ? Kind.COPY : Kind.MUTATION;
        Stamp stamp = new Stamp(random.nextInt(20), random.nextLong());
        return new LogRecord(
                kind,
                random.nextInt(3),
                number,
                stamp,
                Origin.HERE,
                new Author(random.nextLong(), number, 1, 2),
                Bytes.wrap(row),
                Bytes.wrap(body));
    }

    @Test
    void whatNoSSTableTakesIsToldAndNothingIsKept() throws Exception {
        SortedRuns runs = new SortedRuns(1);
        runs.accept(of(Bytes.utf8("small, in a run when the next comes")));
        runs.accept(of(Bytes.utf8("small, in none yet")));
        assertThat(runs.hasTooLarge()).isFalse();
        runs.accept(of(Bytes.wrap(new byte[SSTableWriter.MAX_VALUE_BYTES])));
        runs.accept(of(Bytes.utf8("small")));
        assertThat(runs.hasTooLarge()).isTrue();
        assertThat(runs.merge("segment").isAtEnd()).isTrue();
    }

    private static LogRecord of(Bytes body) {
        return new LogRecord(
                Kind.MUTATION, 4, 1, new Stamp(1, 1), Origin.HERE, Author.NONE, Bytes.utf8("com.cnn.www"), body);
    }
}
