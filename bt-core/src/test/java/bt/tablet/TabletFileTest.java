package bt.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Bytes;
import bt.model.CellKey;
import bt.model.CellKey.Kind;
import bt.model.Limits;
import bt.model.RowRange;
import bt.model.TableSchema;
import bt.record.FileReference;
import bt.record.SSTableProperties;
import bt.sstable.SSTableOptions;
import bt.sstable.SSTableWriter;
import bt.testing.SeededTest;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** A file whose rows begin with more alike than is kept of a key, and shown in part. */
class TabletFileTest {
    private static final String PATH = "data/4/file";
    private static final TableSchema SCHEMA = RandomTable.schema(4);

    private final TabletFixture fixture;

    TabletFileTest() throws BigtableException {
        fixture = new TabletFixture(SCHEMA);
        fixture.files.makeDirectory("data/4");
    }

    @SeededTest(runs = 100)
    void itReachesTheRangesThatHaveItsRows(RandomGenerator random) throws BigtableException {
        SortedSet<Bytes> rows = new TreeSet<>();
        for (int i = random.nextInt(4); i >= 0; i--) {
            rows.add(row(random));
        }
        FileReference whole = write(rows);
        for (int i = 0; i < 40; i++) {
            RowRange clip = range(random);
            TabletFile file = open(clipped(whole, clip));
            RowRange range = range(random);
            RowRange shown = clip.intersect(range);
            if (rows.stream().anyMatch(shown::contains)) {
                assertThat(file.reaches(range)).as("%s of %s", range, rows).isTrue();
            }
            if (rows.stream().anyMatch(row -> !clip.contains(row))) {
                assertThat(file.facts().mayHaveOthersRows())
                        .as("%s of %s", clip, rows)
                        .isTrue();
            }
            file.release();
        }
        fixture.files.delete(PATH);
    }

    @Test
    void itDoesNotReachWhatIsSeenToLieBesideItsRows() throws BigtableException {
        Bytes smallest = Bytes.utf8("k".repeat(Limits.ROW_BYTES));
        Bytes largest = Bytes.utf8("m".repeat(Limits.ROW_BYTES));
        TabletFile file = open(write(new TreeSet<>(List.of(smallest, largest))));
        assertThat(file.reaches(RowRange.before(Bytes.utf8("k")))).isFalse();
        assertThat(file.reaches(RowRange.upTo(smallest))).isTrue();
        assertThat(file.reaches(RowRange.row(Bytes.utf8("l")))).isTrue();
        assertThat(file.reaches(RowRange.from(largest))).isTrue();
        assertThat(file.reaches(RowRange.from(Bytes.utf8("n")))).isFalse();
        file.release();
    }

    private static RowRange range(RandomGenerator random) {
        Bytes one = random.nextInt(3) == 0 ? Bytes.EMPTY : row(random);
        Bytes other = row(random);
        Bytes start = one.compareTo(other) < 0 ? one : other;
        Bytes end = one.compareTo(other) < 0 ? other : one;
        return switch (random.nextInt(3)) {
            case 0 -> RowRange.from(start);
            case 1 -> RowRange.closed(start, end);
            default -> RowRange.upTo(end);
        };
    }

    /** Ones that differ before, where, and behind where what is kept of a key ends, of bytes that are escaped or highest too. */
    private static Bytes row(RandomGenerator random) {
        byte[] alphabet = {0, 1, 'a', (byte) 0xff};
        byte[] row = new byte[240 + random.nextInt(30)];
        Arrays.fill(row, random.nextInt(4) == 0 ? (byte) 0xff : (byte) 'a');
        for (int i = 235 + random.nextInt(row.length - 235); i < row.length; i++) {
            row[i] = alphabet[random.nextInt(alphabet.length)];
        }
        return Bytes.wrap(row);
    }

    private FileReference write(SortedSet<Bytes> rows) throws BigtableException {
        SSTableWriter writer = SSTableWriter.create(
                fixture.files, PATH, new SSTableOptions(1 << 10, "none", 10, CellKey::rowPrefixLength));
        for (Bytes row : rows) {
            writer.add(new CellKey(row, 2, Optional.of(Bytes.utf8("q")), 1, 0, Kind.PUT).encode(), Bytes.utf8("value"));
        }
        writer.finish(SSTableProperties.newBuilder());
        return FileReference.newBuilder()
                .setPath(PATH)
                .setBytes(writer.bytes())
                .setFamilies(List.of(2))
                .setSmallestSequence(0)
                .setLargestSequence(0)
                .build();
    }

    private static FileReference clipped(FileReference whole, RowRange clip) {
        return FileReference.newBuilder(whole)
                .setClipStart(clip.start().isEmpty() ? null : AvroBytes.buffer(clip.start()))
                .setClipEnd(AvroBytes.buffer(clip.end()))
                .build();
    }

    private TabletFile open(FileReference reference) throws BigtableException {
        return TabletFile.open(reference, SCHEMA, fixture.context);
    }
}
