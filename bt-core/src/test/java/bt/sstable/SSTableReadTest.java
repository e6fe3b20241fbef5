package bt.sstable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.UnavailableException;
import bt.sstable.SSTables.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What a reader asks of the file system, and what it keeps. */
class SSTableReadTest {
    private final CountedFile counted;

    SSTableReadTest() throws BigtableException {
        counted = new CountedFile();
    }

    @Test
    void openingAFileWithAShortTailReadsOnce() throws BigtableException {
        counted.write(10_000, 1 << 10);
        try (SSTable file = counted.open(0)) {
            assertThat(file.properties().getEntries()).isEqualTo(10_001);
            assertThat(counted.reads).isEqualTo(1);
        }
    }

    @Test
    void openingAFileWithALongTailReadsTwice() throws BigtableException {
        counted.write(100_000, 1 << 10);
        try (SSTable file = counted.open(0)) {
            assertThat(file.properties().getEntries()).isEqualTo(100_001);
            assertThat(counted.reads).isEqualTo(2);
        }
    }

    @Test
    void aLookUpReadsOnceAtMost() throws BigtableException {
        counted.write(100_000, 1 << 10);
        try (SSTable file = counted.open(0)) {
            Random random = new Random(7);
            for (int i = 0; i < 1000; i++) {
                counted.reads = 0;
                Bytes key = CountedFile.key(random.nextInt(100_000));
                Cursor cursor = file.cursor();
                assertThat(cursor.seek(key)).isTrue();
                assertThat(cursor.key().toBytes()).isEqualTo(key);
                assertThat(counted.reads).isLessThanOrEqualTo(1);
            }
        }
    }

    @Test
    void askingForDeletionsReadsNothingWhereTheyFillNoBlock() throws BigtableException {
        counted.write(10_000, 1 << 10);
        try (SSTable file = counted.open(0)) {
            counted.reads = 0;
            assertThat(file.deletions().seek(Bytes.EMPTY)).isTrue();
            assertThat(counted.reads).isZero();
        }
    }

    @Test
    void whatTheCacheHoldsIsNotReadAgain() throws BigtableException {
        counted.write(10_000, 1 << 10);
        BlockCache cache = BlockCache.ofBytes(64 << 20);
        try (SSTable file = SSTable.open(counted.store, SSTables.PATH, cache)) {
            assertThat(SSTables.all(file.cursor())).hasSize(10_000);
            long missed = cache.misses();
            counted.reads = 0;
            assertThat(SSTables.all(file.cursor())).isEqualTo(SSTables.entries(counted.cells));
            assertThat(counted.reads).isZero();
            assertThat(cache.misses()).isEqualTo(missed);
            assertThat(cache.hits()).isGreaterThanOrEqualTo(missed);
        }
    }

    @Test
    void theIndexAndTheFiltersOfOpenFilesAreCounted() throws BigtableException {
        counted.write(100_000, 1 << 10);
        BlockCache cache = BlockCache.ofBytes(1 << 20);
        try (SSTable file = SSTable.open(counted.store, SSTables.PATH, cache)) {
            // Ten bits a row, as many a column, and an index entry for each block of a KiB.
            assertThat(cache.openBytes()).isEqualTo(file.memoryBytes()).isBetween(250_000L, 600_000L);
            assertThat(cache.bytes()).isZero();
        }
        assertThat(cache.openBytes()).isZero();
    }

    @Test
    void openFilesKeepToTheirShareAndWhatIsBeyondItIsInTheCache() throws BigtableException {
        counted.write(100_000, 1 << 10);
        BlockCache cache = BlockCache.ofBytes(8 << 20, 1 << 20);
        List<SSTable> files = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            files.add(SSTable.open(counted.store, SSTables.PATH, cache));
        }
        long ofOne = files.get(0).memoryBytes();
        SSTable beyond = files.get(files.size() - 1);
        assertThat(ofOne).isGreaterThan(250_000);
        assertThat(beyond.memoryBytes()).isLessThan(ofOne / 50);
        assertThat(cache.openBytes()).isLessThan(cache.maxOpenBytes() + ofOne);
        assertThat(cache.bytes()).isZero();

        assertThat(beyond.mayContain(SSTables.hash("absent"))).isFalse();
        counted.reads = 0;
        assertThat(beyond.mayContain(SSTables.hash("also absent"))).isFalse();
        assertThat(counted.reads).isZero();
        assertThat(cache.bytes()).isGreaterThan(100_000);
        assertThat(SSTables.all(beyond.cursor())).isEqualTo(SSTables.entries(counted.cells));

        files.forEach(SSTable::close);
        assertThat(cache.openBytes()).isZero();
    }

    @Test
    void theCacheKeepsToItsBytes() throws BigtableException {
        counted.write(10_000, 1 << 10);
        BlockCache cache = BlockCache.ofBytes(20 << 10);
        try (SSTable file = SSTable.open(counted.store, SSTables.PATH, cache)) {
            assertThat(SSTables.all(file.cursor())).isEqualTo(SSTables.entries(counted.cells));
            assertThat(cache.bytes()).isBetween(1L, 20L << 10);
        }
    }

    @Test
    void aMoveThatFailedIsNeverContinued() throws BigtableException {
        counted.write(10_000, 1 << 10);
        try (SSTable file = counted.open(0)) {
            Cursor cursor = file.cursor();
            assertThat(cursor.next()).isTrue();
            counted.broken = true;
            assertThatThrownBy(() -> SSTables.all(cursor)).isInstanceOf(UnavailableException.class);
            counted.broken = false;
            assertThatThrownBy(cursor::next).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(cursor::key).isInstanceOf(IllegalStateException.class);
            assertThat(cursor.seek(CountedFile.key(77))).isTrue();
            assertThat(new Entry(cursor.key().toBytes(), cursor.value().toBytes()))
                    .isEqualTo(new Entry(CountedFile.key(77), CountedFile.value(77)));
        }
    }

    @Test
    void whatIsReadAfterCloseIsUnavailable() throws BigtableException {
        counted.write(10_000, 1 << 10);
        SSTable file = counted.open(64 << 20);
        Cursor cursor = file.cursor();
        assertThat(cursor.next()).isTrue();
        file.close();
        assertThatThrownBy(() -> SSTables.all(cursor))
                .isInstanceOf(UnavailableException.class)
                .hasMessage(SSTables.PATH + ": closed");
    }

    @Test
    void theFilterPassesFewKeysThatAreNotThere() throws BigtableException {
        counted.write(100_000, 1 << 10);
        try (SSTable file = counted.open(0)) {
            int passed = 0;
            for (int i = 0; i < 100_000; i++) {
                passed += file.mayContain(SSTables.hash("absent" + i)) ? 1 : 0;
            }
            // 10 bits a key: 0.9 % in theory, a little more for keeping each key to one cache line.
            assertThat(passed).isBetween(1, 1500);
        }
    }
}
