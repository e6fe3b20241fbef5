package bt.sstable;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Output;
import bt.base.Slice;
import bt.fs.FileStore;
import bt.sstable.RowPlaces.Landing;
import bt.testing.SeededTest;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Look-ups of rows in files of in-memory locality groups. The row of a key is what ends with its first slash. */
class RowPlacesTest {
    private static final FilterKey ROW = RowPlacesTest::rowLength;

    private final NavigableMap<Bytes, Bytes> cells = new TreeMap<>();
    private final InMemoryShare share = InMemoryShare.ofBytes(64 << 20);

    private static int rowLength(Slice key) {
        for (int i = 0; i < key.length(); i++) {
            if (key.at(i) == '/') {
                return i + 1;
            }
        }
        throw new IllegalArgumentException("no row");
    }

    @Test
    void aRowIsFoundWithoutTheIndex() throws BigtableException {
        for (int i = 0; i < 3_000; i++) {
            cells.put(Bytes.utf8(String.format("row%05d/a", i)), Bytes.wrap(new byte[1_000]));
        }
        BlockFile file = write(SSTables.options(64 << 10, "none"));
        Counting blocks = new Counting(inMemory(file));
        RunCursor cursor = new RunCursor();
        assertThat(cursor.enter(blocks, root(file)).seek(Bytes.EMPTY)).isTrue();
        blocks.asked = 0;
        for (int i = 0; i < 3_000; i++) {
            Bytes row = Bytes.utf8(String.format("row%05d/", i));
            assertThat(cursor.enter(blocks, root(file), row, FilterHash.of(row)).seek(row))
                    .isTrue();
            assertThat(cursor.key().toBytes()).isEqualTo(Bytes.utf8(String.format("row%05d/a", i)));
        }
        // But for those of the last block, which lies in the tail.
        assertThat(blocks.asked).isLessThan(200);
        assertThat(blocks.blocks.isLoaded()).isTrue();
        assertThat(share.bytes()).isBetween(3_000_000L, 3_000_000L * 17 / 16 + 100_000);
    }

    @Test
    void rowsTooSmallForItAreFoundThroughTheIndex() throws BigtableException {
        for (int i = 0; i < 20_000; i++) {
            cells.put(Bytes.utf8(String.format("row%05d/a", i)), Bytes.utf8("value " + i));
        }
        BlockFile file = write(SSTables.options(4 << 10, "none"));
        InMemoryBlocks blocks = inMemory(file);
        assertThat(SSTables.all(new RunCursor().enter(blocks, root(file)))).isEqualTo(SSTables.entries(cells));
        assertThat(blocks.goToRow(SSTables.hash("row00007/"), new BlockCursor(Block.NONE)))
                .isEqualTo(Landing.NOWHERE);
        assertThat(new RunCursor()
                        .enter(blocks, root(file), Bytes.utf8("row00007/"), SSTables.hash("row00007/"))
                        .seek(Bytes.utf8("row00007/")))
                .isTrue();
    }

    @Test
    void aKeyWithoutARowLeavesTheOthersToBeRead() throws BigtableException {
        for (int i = 0; i < 300; i++) {
            cells.put(Bytes.utf8(String.format("row%05d" + (i == 7 ? "" : "/a"), i)), Bytes.wrap(new byte[1_000]));
        }
        BlockFile file = write(new SSTableOptions(4 << 10, "none", 0, ROW));
        assertThat(SSTables.all(new RunCursor().enter(inMemory(file), root(file))))
                .isEqualTo(SSTables.entries(cells));
    }

    /** Whether the hash is the row's, or by chance that of another. */
    @SeededTest(runs = 60)
    void findsWhatASortedMapFinds(RandomGenerator random) throws BigtableException {
        int rows = 1 + random.nextInt(300);
        for (int i = 0; i < rows; i++) {
            int columns = random.nextInt(12) == 0 ? random.nextInt(80) : random.nextInt(4);
            int bytes = random.nextInt(1 << (1 + random.nextInt(11)));
            for (int j = 0; j < columns; j++) {
                cells.put(join(row(i), column(random)), Bytes.wrap(new byte[bytes]));
            }
        }
        BlockFile file = write(SSTables.options(1 << (6 + random.nextInt(11)), "lz4"));
        InMemoryBlocks blocks = inMemory(file);
        new RunCursor().enter(blocks, root(file)).seek(Bytes.EMPTY);
        RunCursor cursor = new RunCursor();
        for (int i = 0; i < 500; i++) {
            Bytes row = row(random.nextInt(rows + 1));
            Bytes prefix = random.nextBoolean() ? row : join(row, column(random));
            FilterHash hash = FilterHash.of(random.nextInt(4) == 0 ? row(random.nextInt(rows)) : row);
            cursor.enter(blocks, root(file), prefix, hash);
            walk(cursor, prefix, random);
        }
    }

    /** From some keys with the prefix on, and a little forth and back. */
    private void walk(RunCursor cursor, Bytes prefix, RandomGenerator random) throws BigtableException {
        for (int i = 0; i < 3; i++) {
            Bytes from = random.nextBoolean() ? prefix : join(prefix, column(random));
            Bytes at = cells.ceilingKey(from);
            boolean found = cursor.seek(from);
            assertThat(found || at == null || !at.startsWith(prefix)).isTrue();
            for (int steps = random.nextInt(100); found && steps > 0; steps--) {
                assertThat(cursor.key().toBytes()).isEqualTo(at);
                assertThat(cursor.value().toBytes()).isEqualTo(cells.get(at));
                boolean forth = random.nextInt(8) > 0;
                at = forth ? cells.higherKey(at) : cells.lowerKey(at);
                found = forth ? cursor.next() : cursor.previous();
                // What comes behind the prefix may be missing.
                assertThat(found || at == null || (forth && !at.startsWith(prefix)))
                        .isTrue();
            }
        }
    }

    private static Bytes row(int i) {
        return Bytes.utf8(Integer.toString(i, 3) + "/");
    }

    private static Bytes column(RandomGenerator random) {
        return Bytes.utf8(Integer.toString(random.nextInt(200), 5));
    }

    private static Bytes join(Bytes first, Bytes second) {
        return new Output(16).raw(first).raw(second).toBytes();
    }

    private BlockFile write(SSTableOptions options) throws BigtableException {
        FileStore store = SSTables.store();
        SSTables.write(store, options, cells, new TreeMap<>());
        return BlockFile.open(store.open(SSTables.PATH), BlockCache.ofBytes(1 << 20), Tail.MAX_BYTES);
    }

    private InMemoryBlocks inMemory(BlockFile file) throws BigtableException {
        Block deletions = file.root(file.sections().need(file.sectionTable(), Sections.DELETIONS));
        return new InMemoryBlocks(file, root(file), deletions, 1, new InMemoryPlace(share, ROW));
    }

    private static Block root(BlockFile file) throws BigtableException {
        return file.root(file.sections().need(file.sectionTable(), Sections.CELLS));
    }

    /** How often a block is looked for. */
    private static final class Counting implements BlockSource {
        private final InMemoryBlocks blocks;
        private int asked;

        Counting(InMemoryBlocks blocks) {
            this.blocks = blocks;
        }

        @Override
        public String path() {
            return blocks.path();
        }

        @Override
        public long end() {
            return blocks.end();
        }

        @Override
        public Block block(BlockHandle handle) throws BigtableException {
            asked++;
            return blocks.block(handle);
        }

        @Override
        public Landing goToRow(FilterHash row, BlockCursor cursor) throws BigtableException {
            return blocks.goToRow(row, cursor);
        }
    }
}
