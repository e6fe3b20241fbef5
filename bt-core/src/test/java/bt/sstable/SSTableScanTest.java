package bt.sstable;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.sstable.ReadAheads.Extent;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a scan asks of the file system, and what it leaves to look-ups. */
class SSTableScanTest {
    private final CountedFile counted;

    SSTableScanTest() throws BigtableException {
        counted = new CountedFile();
    }

    @Test
    void aScanReadsManyBlocksAtOnce() throws BigtableException {
        counted.write(100_000, 1 << 10);
        try (SSTable file = counted.open(0)) {
            assertThat(SSTables.all(file.cursor())).isEqualTo(SSTables.entries(counted.cells));
            int oneByOne = counted.reads;
            counted.reads = 0;
            assertThat(SSTables.all(file.cursor(Access.SCAN))).isEqualTo(SSTables.entries(counted.cells));
            assertThat(oneByOne).isGreaterThan(1000);
            assertThat(counted.reads).isLessThan(20);
            counted.reads = 0;
            assertThat(SSTables.all(file.cursor(Access.COMPACTION))).isEqualTo(SSTables.entries(counted.cells));
            assertThat(counted.reads).isLessThan(20);
        }
    }

    @Test
    void thePagesOfAScanReadWhatOneReadOfAllWouldRead() throws BigtableException {
        counted.write(100_000, 1 << 10);
        try (SSTable file = counted.open(1 << 20)) {
            counted.reads = 0;
            assertThat(SSTables.all(file.cursor(Access.SCAN))).hasSize(100_000);
            int atOnce = counted.reads;
            counted.reads = 0;
            // Two scans, which take turns; the pages of one begin a little before the end of those before.
            for (int page = 0; page < 100; page++) {
                assertThat(page(file, 500 * page)).isEqualTo(CountedFile.key(500 * (page + 1)));
                assertThat(page(file, 50_000 + 490 * page)).isEqualTo(CountedFile.key(50_000 + 490 * page + 500));
            }
            assertThat(counted.reads).isLessThan(2 * atOnce);
        }
    }

    /** Ends before this, as a page does that is shown the row behind it. */
    private static Bytes page(SSTable file, int from) throws BigtableException {
        Cursor cursor = file.cursor(Access.SCAN);
        assertThat(cursor.seek(CountedFile.key(from))).isTrue();
        for (int i = 0; i < 500; i++) {
            assertThat(cursor.next()).isTrue();
        }
        return cursor.key().toBytes();
    }

    @Test
    void whatWasDamagedOnItsWayIsReadOnceMore() throws BigtableException {
        counted.write(100_000, 1 << 10);
        BlockCache cache = BlockCache.ofBytes(1 << 20);
        try (SSTable file = SSTable.open(counted.store, SSTables.PATH, cache)) {
            Bytes next = page(file, 0);
            Arrays.fill(someExtent(cache), (byte) 0);
            assertThat(page(file, 500)).isEqualTo(CountedFile.key(1000));
            assertThat(next).isEqualTo(CountedFile.key(500));
        }
    }

    private static byte[] someExtent(BlockCache cache) {
        for (long offset = 0; offset < 1 << 20; offset++) {
            Optional<Extent> found = cache.readAheads().find(SSTables.PATH, new BlockHandle(offset, 1));
            if (found.isPresent()) {
                return found.get().bytes();
            }
        }
        throw new AssertionError("nothing was read ahead");
    }

    @Test
    void whatScansReadAheadIsBoundedAndTheOldestGoesFirst() {
        ReadAheads aheads = new ReadAheads(300);
        Extent first = new Extent("a", 0, new byte[100]);
        Extent second = new Extent("a", 100, new byte[100]);
        Extent third = new Extent("b", 0, new byte[100]);
        aheads.keep(first, Extent.NONE);
        aheads.keep(second, Extent.NONE);
        aheads.keep(third, Extent.NONE);
        assertThat(aheads.find("a", new BlockHandle(40, 60))).contains(first);
        assertThat(aheads.find("a", new BlockHandle(60, 60))).isEmpty();
        Extent fourth = new Extent("b", 100, new byte[150]);
        aheads.keep(fourth, third);
        // The one that was read to its end, and then the oldest.
        assertThat(aheads.find("b", new BlockHandle(0, 10))).isEmpty();
        assertThat(aheads.find("a", new BlockHandle(0, 10))).isEmpty();
        assertThat(aheads.find("a", new BlockHandle(100, 10))).contains(second);
        assertThat(aheads.find("b", new BlockHandle(100, 150))).contains(fourth);
        assertThat(aheads.bytes()).isEqualTo(250);
        aheads.keep(new Extent("c", 0, new byte[301]), Extent.NONE);
        assertThat(aheads.bytes()).isEqualTo(250);
    }

    @Test
    void aScanThatLeapsReadsNoMoreThanTheBlocksItComesTo() throws BigtableException {
        counted.write(100_000, 1 << 10);
        try (SSTable file = counted.open(0)) {
            counted.reads = 0;
            Cursor cursor = file.cursor(Access.SCAN);
            for (int i = 0; i < 100_000; i += 10_000) {
                assertThat(cursor.seek(CountedFile.key(i))).isTrue();
                assertThat(cursor.key()).hasToString(CountedFile.key(i).toString());
            }
            assertThat(counted.reads).isEqualTo(10);
        }
    }

    @Test
    void whatLookUpsNeedStaysThroughALargeScan() throws BigtableException {
        counted.write(100_000, 1 << 10);
        BlockCache cache = BlockCache.ofBytes(256 << 10);
        try (SSTable file = SSTable.open(counted.store, SSTables.PATH, cache)) {
            lookUpSome(file);
            assertThat(cache.hits()).isZero();
            for (Access access : List.of(Access.SCAN, Access.COMPACTION, Access.SCAN)) {
                assertThat(SSTables.all(file.cursor(access))).hasSize(100_000);
                long missed = cache.misses();
                long found = cache.hits();
                counted.reads = 0;
                lookUpSome(file);
                assertThat(counted.reads).isZero();
                assertThat(cache.misses()).isEqualTo(missed);
                assertThat(cache.hits()).isEqualTo(found + 100);
            }
        }
    }

    @Test
    void whatLookUpsNeedStaysThroughALargeScanInPages() throws BigtableException {
        counted.write(100_000, 1 << 10);
        BlockCache cache = BlockCache.ofBytes(256 << 10);
        try (SSTable file = SSTable.open(counted.store, SSTables.PATH, cache)) {
            lookUpSome(file);
            for (int page = 0; page < 200; page++) {
                Cursor cursor = file.cursor(Access.SCAN);
                assertThat(cursor.seek(CountedFile.key(page * 500))).isTrue();
                for (int i = 1; i < 500; i++) {
                    assertThat(cursor.next()).isTrue();
                }
            }
            assertThat(cache.bytes()).isBetween(1L, cache.maxBytes());
            counted.reads = 0;
            lookUpSome(file);
            assertThat(counted.reads).isZero();
        }
    }

    @Test
    void whatALookUpFindsWhereAScanLeftItIsTheLookUpsFromThenOn() throws BigtableException {
        counted.write(100_000, 1 << 10);
        BlockCache cache = BlockCache.ofBytes(256 << 10);
        try (SSTable file = SSTable.open(counted.store, SSTables.PATH, cache)) {
            assertThat(file.cursor(Access.SCAN).seek(CountedFile.key(7))).isTrue();
            counted.reads = 0;
            assertThat(file.cursor().seek(CountedFile.key(7))).isTrue();
            for (int i = 1_000; i < 100_000; i += 500) {
                assertThat(file.cursor(Access.SCAN).seek(CountedFile.key(i))).isTrue();
            }
            counted.reads = 0;
            assertThat(file.cursor().seek(CountedFile.key(7))).isTrue();
            assertThat(counted.reads).isZero();
        }
    }

    @Test
    void aShortScanFindsItsBlockWhenItComesAgain() throws BigtableException {
        counted.write(100_000, 1 << 10);
        try (SSTable file = counted.open(1 << 20)) {
            assertThat(file.cursor(Access.SCAN).seek(CountedFile.key(5_000))).isTrue();
            counted.reads = 0;
            assertThat(file.cursor(Access.SCAN).seek(CountedFile.key(5_000))).isTrue();
            assertThat(counted.reads).isZero();
        }
    }

    private static void lookUpSome(SSTable file) throws BigtableException {
        for (int i = 0; i < 100; i++) {
            assertThat(file.cursor().seek(CountedFile.key(1000 * i))).isTrue();
        }
    }
}
