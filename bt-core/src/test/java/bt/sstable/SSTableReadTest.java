package bt.sstable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Clock;
import bt.base.UnavailableException;
import bt.fs.FileStore;
import bt.sstable.SSTables.Entry;
import bt.testing.FileOperation;
import bt.testing.MemoryFileStore;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a reader asks of the file system, and what it keeps. */
class SSTableReadTest {
    private final SortedMap<Bytes, Bytes> cells = new TreeMap<>();
    private int reads;
    private boolean broken;
    private FileStore store;

    @BeforeEach
    void makeStore() throws BigtableException {
        store = new MemoryFileStore(Clock.system(), (process, operation, path) -> {
                    if (operation == FileOperation.READ) {
                        reads++;
                        if (broken) {
                            throw new UnavailableException("no datanode answers");
                        }
                    }
                })
                .process("test");
        store.makeDirectory("data/7/1");
    }

    @Test
    void openingAFileWithAShortTailReadsOnce() throws BigtableException {
        write(10_000, 1 << 10);
        try (SSTable file = open(0)) {
            assertThat(file.properties().getEntries()).isEqualTo(10_001);
            assertThat(reads).isEqualTo(1);
        }
    }

    @Test
    void openingAFileWithALongTailReadsTwice() throws BigtableException {
        write(100_000, 1 << 10);
        try (SSTable file = open(0)) {
            assertThat(file.properties().getEntries()).isEqualTo(100_001);
            assertThat(reads).isEqualTo(2);
        }
    }

    @Test
    void aLookUpReadsOnceAtMost() throws BigtableException {
        write(100_000, 1 << 10);
        try (SSTable file = open(0)) {
            Random random = new Random(7);
            for (int i = 0; i < 1000; i++) {
                reads = 0;
                Bytes key = key(random.nextInt(100_000));
                Cursor cursor = file.cursor();
                assertThat(cursor.seek(key)).isTrue();
                assertThat(cursor.key().toBytes()).isEqualTo(key);
                assertThat(reads).isLessThanOrEqualTo(1);
            }
        }
    }

    @Test
    void askingForDeletionsReadsNothingWhereTheyFillNoBlock() throws BigtableException {
        write(10_000, 1 << 10);
        try (SSTable file = open(0)) {
            reads = 0;
            assertThat(file.deletions().seek(Bytes.EMPTY)).isTrue();
            assertThat(reads).isZero();
        }
    }

    @Test
    void whatTheCacheHoldsIsNotReadAgain() throws BigtableException {
        write(10_000, 1 << 10);
        BlockCache cache = BlockCache.ofBytes(64 << 20);
        try (SSTable file = SSTable.open(store, SSTables.PATH, cache)) {
            assertThat(SSTables.all(file.cursor())).hasSize(10_000);
            long missed = cache.misses();
            reads = 0;
            assertThat(SSTables.all(file.cursor())).isEqualTo(SSTables.entries(cells));
            assertThat(reads).isZero();
            assertThat(cache.misses()).isEqualTo(missed);
            assertThat(cache.hits()).isGreaterThanOrEqualTo(missed);
        }
    }

    @Test
    void aScanReadsManyBlocksAtOnce() throws BigtableException {
        write(100_000, 1 << 10);
        try (SSTable file = open(0)) {
            assertThat(SSTables.all(file.cursor())).isEqualTo(SSTables.entries(cells));
            int oneByOne = reads;
            reads = 0;
            assertThat(SSTables.all(file.cursor(Access.SCAN))).isEqualTo(SSTables.entries(cells));
            assertThat(oneByOne).isGreaterThan(1000);
            assertThat(reads).isLessThan(10);
            reads = 0;
            assertThat(SSTables.all(file.cursor(Access.COMPACTION))).isEqualTo(SSTables.entries(cells));
            assertThat(reads).isLessThan(10);
        }
    }

    @Test
    void aScanThatLeapsReadsNoMoreThanTheBlocksItComesTo() throws BigtableException {
        write(100_000, 1 << 10);
        try (SSTable file = open(0)) {
            reads = 0;
            Cursor cursor = file.cursor(Access.SCAN);
            for (int i = 0; i < 100_000; i += 10_000) {
                assertThat(cursor.seek(key(i))).isTrue();
                assertThat(cursor.key()).hasToString(key(i).toString());
            }
            assertThat(reads).isEqualTo(10);
        }
    }

    @Test
    void whatLookUpsNeedStaysThroughALargeScan() throws BigtableException {
        write(100_000, 1 << 10);
        BlockCache cache = BlockCache.ofBytes(256 << 10);
        try (SSTable file = SSTable.open(store, SSTables.PATH, cache)) {
            lookUpSome(file);
            assertThat(cache.hits()).isZero();
            for (Access access : List.of(Access.SCAN, Access.COMPACTION, Access.SCAN)) {
                assertThat(SSTables.all(file.cursor(access))).hasSize(100_000);
                long missed = cache.misses();
                long found = cache.hits();
                reads = 0;
                lookUpSome(file);
                assertThat(reads).isZero();
                assertThat(cache.misses()).isEqualTo(missed);
                assertThat(cache.hits()).isEqualTo(found + 100);
            }
        }
    }

    @Test
    void whatLookUpsNeedStaysThroughALargeScanInPages() throws BigtableException {
        write(100_000, 1 << 10);
        BlockCache cache = BlockCache.ofBytes(256 << 10);
        try (SSTable file = SSTable.open(store, SSTables.PATH, cache)) {
            lookUpSome(file);
            for (int page = 0; page < 200; page++) {
                Cursor cursor = file.cursor(Access.SCAN);
                assertThat(cursor.seek(key(page * 500))).isTrue();
                for (int i = 1; i < 500; i++) {
                    assertThat(cursor.next()).isTrue();
                }
            }
            assertThat(cache.bytes()).isBetween(1L, cache.maxBytes());
            reads = 0;
            lookUpSome(file);
            assertThat(reads).isZero();
        }
    }

    @Test
    void whatALookUpFindsWhereAScanLeftItIsTheLookUpsFromThenOn() throws BigtableException {
        write(100_000, 1 << 10);
        BlockCache cache = BlockCache.ofBytes(256 << 10);
        try (SSTable file = SSTable.open(store, SSTables.PATH, cache)) {
            assertThat(file.cursor(Access.SCAN).seek(key(7))).isTrue();
            reads = 0;
            assertThat(file.cursor().seek(key(7))).isTrue();
            for (int i = 1_000; i < 100_000; i += 500) {
                assertThat(file.cursor(Access.SCAN).seek(key(i))).isTrue();
            }
            reads = 0;
            assertThat(file.cursor().seek(key(7))).isTrue();
            assertThat(reads).isZero();
        }
    }

    @Test
    void aShortScanFindsItsBlockWhenItComesAgain() throws BigtableException {
        write(100_000, 1 << 10);
        try (SSTable file = open(1 << 20)) {
            assertThat(file.cursor(Access.SCAN).seek(key(5_000))).isTrue();
            reads = 0;
            assertThat(file.cursor(Access.SCAN).seek(key(5_000))).isTrue();
            assertThat(reads).isZero();
        }
    }

    private static void lookUpSome(SSTable file) throws BigtableException {
        for (int i = 0; i < 100; i++) {
            assertThat(file.cursor().seek(key(1000 * i))).isTrue();
        }
    }

    @Test
    void theIndexAndTheFiltersOfOpenFilesAreCounted() throws BigtableException {
        write(100_000, 1 << 10);
        BlockCache cache = BlockCache.ofBytes(1 << 20);
        try (SSTable file = SSTable.open(store, SSTables.PATH, cache)) {
            // Ten bits a row, as many a column, and an index entry for each block of a KiB.
            assertThat(cache.openBytes()).isEqualTo(file.memoryBytes()).isBetween(250_000L, 600_000L);
            assertThat(cache.bytes()).isZero();
        }
        assertThat(cache.openBytes()).isZero();
    }

    @Test
    void theCacheKeepsToItsBytes() throws BigtableException {
        write(10_000, 1 << 10);
        BlockCache cache = BlockCache.ofBytes(20 << 10);
        try (SSTable file = SSTable.open(store, SSTables.PATH, cache)) {
            assertThat(SSTables.all(file.cursor())).isEqualTo(SSTables.entries(cells));
            assertThat(cache.bytes()).isBetween(1L, 20L << 10);
        }
    }

    @Test
    void aMoveThatFailedIsNeverContinued() throws BigtableException {
        write(10_000, 1 << 10);
        try (SSTable file = open(0)) {
            Cursor cursor = file.cursor();
            assertThat(cursor.next()).isTrue();
            broken = true;
            assertThatThrownBy(() -> SSTables.all(cursor)).isInstanceOf(UnavailableException.class);
            broken = false;
            assertThatThrownBy(cursor::next).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(cursor::key).isInstanceOf(IllegalStateException.class);
            assertThat(cursor.seek(key(77))).isTrue();
            assertThat(new Entry(cursor.key().toBytes(), cursor.value().toBytes()))
                    .isEqualTo(new Entry(key(77), value(77)));
        }
    }

    @Test
    void whatIsReadAfterCloseIsUnavailable() throws BigtableException {
        write(10_000, 1 << 10);
        SSTable file = open(64 << 20);
        Cursor cursor = file.cursor();
        assertThat(cursor.next()).isTrue();
        file.close();
        assertThatThrownBy(() -> SSTables.all(cursor))
                .isInstanceOf(UnavailableException.class)
                .hasMessage(SSTables.PATH + ": closed");
    }

    @Test
    void theFilterPassesFewKeysThatAreNotThere() throws BigtableException {
        write(100_000, 1 << 10);
        try (SSTable file = open(0)) {
            int passed = 0;
            for (int i = 0; i < 100_000; i++) {
                passed += file.mayContain(SSTables.hash("absent" + i)) ? 1 : 0;
            }
            // 10 bits a key: 0.9 % in theory, a little more for keeping each key to one cache line.
            assertThat(passed).isBetween(1, 1500);
        }
    }

    private void write(int count, int blockBytes) throws BigtableException {
        for (int i = 0; i < count; i++) {
            cells.put(key(i), value(i));
        }
        SortedMap<Bytes, Bytes> deletions = new TreeMap<>();
        deletions.put(key(3), Bytes.EMPTY);
        SSTables.write(store, SSTables.options(blockBytes, "none"), cells, deletions);
    }

    private SSTable open(long cacheBytes) throws BigtableException {
        return SSTable.open(store, SSTables.PATH, BlockCache.ofBytes(cacheBytes));
    }

    private static Bytes key(int i) {
        return Bytes.utf8(String.format("row%06d/family", i));
    }

    private static Bytes value(int i) {
        return Bytes.utf8("a value of some length, number " + i);
    }
}
