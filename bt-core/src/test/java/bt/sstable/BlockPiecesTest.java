package bt.sstable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.fs.FileStore;
import bt.fs.LocalBlocks;
import bt.fs.local.LocalBlockFile;
import bt.testing.SeededTest;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a look-up reads of a block that was read before and is in no cache any more. */
class BlockPiecesTest {
    private static final int ROWS = 20_000;
    private static final int BLOCK = 64 << 10;
    private static final int VALUE = 1_000;

    /** For what is learnt of all blocks, and for some of these. */
    private static final long CACHE = 8 << 20;

    @TempDir
    private Path directory;

    private final FileStore store = SSTables.store();
    private final SpareCursors spares = new SpareCursors();

    BlockPiecesTest() throws BigtableException {}

    @Test
    void aLookUpReadsLittleOfABlockThatWasReadBefore() throws BigtableException {
        write("none");
        assertThat(bytesOfALookUp(CACHE)).isLessThan(12 << 10);
    }

    @Test
    void whereACodecWasAtWorkAllOfTheBlockIsRead() throws BigtableException {
        write("lz4");
        assertThat(bytesOfALookUp(CACHE)).isBetween(BLOCK / 4L, BLOCK * 3 / 4L);
    }

    @Test
    void withoutRoomForWhatIsLearntAllOfTheBlockIsRead() throws BigtableException {
        write("none");
        assertThat(bytesOfALookUp(0)).isGreaterThan(BLOCK);
    }

    @Test
    void whoGoesAlongTheRowsReadsEachBlockOnce() throws BigtableException {
        write("none");
        try (SSTable table = open(BlockCache.ofBytes(CACHE))) {
            lookUpAll(table);
            int reads = 0;
            for (int row = 0; row < ROWS; row++) {
                int wanted = row;
                tryWithoutWaiting(table, row);
                bytesRead(() -> lookUp(table, wanted));
                reads += ReadWork.ofThread().blocksRead();
            }
            int blocks = ROWS * VALUE / BLOCK;
            assertThat(reads).isBetween(blocks / 2, 6 * blocks / 5);
        }
    }

    @Test
    void manyWhoGoAlongTheRowsReadEachBlockOnce() throws BigtableException {
        write("none");
        try (SSTable table = open(BlockCache.ofBytes(CACHE))) {
            for (int round = 0; round < 8; round++) {
                lookUpAll(table);
            }
            int reads = 0;
            int readers = 8;
            for (int row = 0; row < ROWS / readers; row++) {
                for (int reader = 0; reader < readers; reader++) {
                    int wanted = reader * (ROWS / readers) + row;
                    bytesRead(() -> lookUp(table, wanted));
                    reads += ReadWork.ofThread().blocksRead();
                }
            }
            int blocks = ROWS * VALUE / BLOCK;
            assertThat(reads).isBetween(blocks / 2, 6 * blocks / 5);
        }
    }

    @Test
    void aPieceThatIsKeptIsAHit() throws BigtableException {
        write("none");
        BlockCache cache = BlockCache.ofBytes(CACHE);
        try (SSTable table = open(cache)) {
            lookUpAll(table);
            for (int row = 0; row < ROWS; row += BLOCK / VALUE * 3) {
                lookUp(table, row);
                long hits = cache.hits();
                long misses = cache.misses();
                lookUp(table, row);
                assertThat(cache.hits()).isEqualTo(hits + 1);
                assertThat(cache.misses()).isEqualTo(misses);
            }
        }
    }

    @Test
    void aPieceThatHasACopyIsReadWithoutWaiting() throws Exception {
        write("none");
        try (LocalBlockFile copies = LocalBlockFile.create(directory, 2L * ROWS * VALUE);
                SSTable table = open(BlockCache.ofBytes(CACHE, copies))) {
            lookUpAll(table);
            int waited = 0;
            for (int row = 0; row < ROWS; row += 7 * BLOCK / VALUE / 6) {
                waited += tryWithoutWaiting(table, row) ? 0 : 1;
            }
            assertThat(waited).isZero();
        }
    }

    @Test
    void bytesThatAreNotThoseOfBeforeAreRefused() throws BigtableException {
        write("none");
        BlockCache cache = BlockCache.ofBytes(CACHE);
        try (SSTable table = open(cache)) {
            lookUpAll(table);
        }
        byte[] damaged = SSTables.bytes(store);
        for (int i = VALUE; i < ROWS * VALUE; i += VALUE) {
            damaged[i] ^= 1;
        }
        SSTables.replace(store, damaged);
        try (SSTable table = open(cache)) {
            assertThatThrownBy(() -> lookUpAll(table))
                    .isInstanceOf(CorruptionException.class)
                    .hasMessageMatching(
                            SSTables.PATH + " at \\d+: crc .{8} of \\d+ bytes, when the block was read it was .{8}");
        }
    }

    /** The keys are as they were, and so are the lengths: nothing but the checksum tells. */
    @Test
    void aLookUpFindsDamagedValues() throws BigtableException {
        write("none");
        damageValues();
        try (SSTable table = open(BlockCache.ofBytes(CACHE))) {
            assertThatThrownBy(() -> lookUpAll(table))
                    .isInstanceOf(CorruptionException.class)
                    .hasMessageContaining("block crc");
        }
    }

    @Test
    void damagedCopiesAreDropped() throws BigtableException {
        write("none");
        Damaging copies = new Damaging();
        try (SSTable table = open(BlockCache.ofBytes(CACHE, copies))) {
            lookUpAll(table);
            for (int row = 0; row < ROWS; row += 7 * BLOCK / VALUE / 6) {
                assertThat(valueOf(table, row).at(VALUE - 1)).isZero();
            }
            assertThat(copies.dropped).isPositive();
        }
    }

    /** Says that it has everything, and gives what is not as it was. */
    private static final class Damaging implements LocalBlocks {
        private int dropped;

        @Override
        public boolean read(String path, long offset, int from, byte[] target, int length) {
            Arrays.fill(target, 0, length, (byte) 7);
            return true;
        }

        @Override
        public boolean lacks(String path, long offset) {
            return false;
        }

        @Override
        public boolean has(String path, long offset) {
            return true;
        }

        @Override
        public void keep(String path, long offset, ByteBuffer part) {
            // It has everything.
        }

        @Override
        public void keepWhereFree(String path, long offset, ByteBuffer part) {
            // It still has.
        }

        @Override
        public void drop(String path, long offset) {
            dropped++;
        }

        @Override
        public long bytes() {
            return Long.MAX_VALUE;
        }

        @Override
        public long maxBytes() {
            return Long.MAX_VALUE;
        }
    }

    @Test
    void whatIsLearntOfFortyTimesTheCacheStays() throws BigtableException {
        BlockCache cache = BlockCache.ofBytes(ROWS * VALUE / 40);
        write("none");
        try (SSTable table = open(cache)) {
            lookUpAll(table);
            assertThat(bytesRead(() -> lookUpAll(table, 70))).isLessThan(ROWS / 70 * (16L << 10));
        }
    }

    @SeededTest(runs = 40)
    void rowsAreFoundAsTheyLie(RandomGenerator random) throws BigtableException {
        NavigableMap<Bytes, Bytes> cells = new TreeMap<>();
        int rows = 1 + random.nextInt(400);
        for (int row = 0; row < rows; row++) {
            int columns = random.nextInt(20) == 0 ? 80 : 1 + random.nextInt(4);
            for (int column = 0; column < columns; column++) {
                cells.put(key(row, column), value(random, random.nextInt(2_500)));
            }
        }
        SSTables.write(store, SSTables.options(BLOCK, "none"), cells, new TreeMap<>());
        try (SSTable table = open(BlockCache.ofBytes(random.nextInt(1 << 20)))) {
            for (int i = 0; i < 3_000; i++) {
                walkThroughRow(table, cells, random.nextInt(rows), random);
            }
        }
    }

    /** From one of its columns on, to the end, and back by some steps. */
    private void walkThroughRow(SSTable table, NavigableMap<Bytes, Bytes> cells, int row, RandomGenerator random)
            throws BigtableException {
        Bytes from = random.nextBoolean() ? prefix(row) : key(row, random.nextInt(90));
        NavigableMap<Bytes, Bytes> expected = cells.subMap(from, true, prefix(row + 1), false);
        Cursor cursor = spares.cells(table, prefix(row), FilterHash.of(prefix(row)));
        boolean found = cursor.seek(from);
        for (Bytes key : expected.keySet()) {
            assertThat(found).isTrue();
            assertThat(cursor.key().toBytes()).isEqualTo(key);
            assertThat(cursor.value().toBytes()).isEqualTo(cells.get(key));
            if (random.nextInt(16) == 0 && cells.lowerKey(key) != null) {
                assertThat(cursor.previous()).isTrue();
                assertThat(cursor.value().toBytes())
                        .isEqualTo(cells.lowerEntry(key).getValue());
                assertThat(cursor.next()).isTrue();
                assertThat(cursor.key().toBytes()).isEqualTo(key);
            }
            found = cursor.next();
        }
        assertThat(found && cursor.key().startsWith(prefix(row))).isFalse();
        spares.takeBack();
    }

    /** On average, once all blocks were read. */
    private long bytesOfALookUp(long cacheBytes) throws BigtableException {
        int lookUps = 1_000;
        Random random = new Random(1);
        try (SSTable table = open(BlockCache.ofBytes(cacheBytes))) {
            lookUpAll(table);
            return bytesRead(() -> {
                        for (int i = 0; i < lookUps; i++) {
                            lookUp(table, random.nextInt(ROWS));
                        }
                    })
                    / lookUps;
        }
    }

    /** As on an event loop, before a thread that may wait begins anew. */
    @CanIgnoreReturnValue
    private boolean tryWithoutWaiting(SSTable table, int row) throws BigtableException {
        ReadWork work = ReadWork.ofThread();
        work.begin(new NoWaiting(), Long.MAX_VALUE);
        try {
            lookUp(table, row);
            return true;
        } catch (NoWaiting.Refused refused) {
            spares.takeBack();
            return false;
        } finally {
            work.end();
        }
    }

    private static final class NoWaiting implements ReadWork.Terms {
        private static final class Refused extends RuntimeException {}

        @Override
        public boolean mayWait() {
            return false;
        }

        @Override
        public void beforeWaiting() {
            throw new Refused();
        }
    }

    private interface Reading {
        void run() throws BigtableException;
    }

    @CanIgnoreReturnValue
    private static long bytesRead(Reading reading) throws BigtableException {
        ReadWork work = ReadWork.ofThread();
        work.begin(ReadWork.Terms.NONE, Long.MAX_VALUE);
        reading.run();
        work.end();
        return work.bytesRead();
    }

    /** In their last bytes, which are zeros, so that keys and lengths are as they were. */
    private void damageValues() throws BigtableException {
        byte[] damaged = SSTables.bytes(store);
        byte[] zeros = new byte[VALUE / 4];
        int values = 0;
        for (int i = VALUE; i < ROWS * VALUE; i += VALUE) {
            if (Arrays.equals(damaged, i, i + zeros.length, zeros, 0, zeros.length)) {
                damaged[i] ^= 1;
                values++;
            }
        }
        assertThat(values).isGreaterThan(ROWS / 10);
        SSTables.replace(store, damaged);
    }

    private void lookUpAll(SSTable table) throws BigtableException {
        lookUpAll(table, 1);
    }

    private void lookUpAll(SSTable table, int step) throws BigtableException {
        for (int row = 0; row < ROWS; row += step) {
            lookUp(table, row);
        }
    }

    private Bytes valueOf(SSTable table, int row) throws BigtableException {
        Cursor cursor = spares.cells(table, prefix(row), FilterHash.of(prefix(row)));
        assertThat(cursor.seek(prefix(row))).isTrue();
        Bytes value = cursor.value().toBytes();
        spares.takeBack();
        return value;
    }

    private void lookUp(SSTable table, int row) throws BigtableException {
        Cursor cursor = spares.cells(table, prefix(row), FilterHash.of(prefix(row)));
        assertThat(cursor.seek(prefix(row))).isTrue();
        assertThat(cursor.key().toBytes()).isEqualTo(key(row, 0));
        assertThat(cursor.value().length()).isEqualTo(VALUE);
        assertThat(cursor.next() && cursor.key().startsWith(prefix(row))).isFalse();
        spares.takeBack();
    }

    private SSTable open(BlockCache cache) throws BigtableException {
        return SSTable.open(store, SSTables.PATH, cache);
    }

    /** Of values that compress to about a half. */
    private void write(String codec) throws BigtableException {
        NavigableMap<Bytes, Bytes> cells = new TreeMap<>();
        Random random = new Random(2);
        for (int row = 0; row < ROWS; row++) {
            cells.put(key(row, 0), value(random, VALUE));
        }
        SSTables.write(store, SSTables.options(BLOCK, codec), cells, new TreeMap<>());
    }

    private static Bytes value(RandomGenerator random, int length) {
        byte[] noise = new byte[length / 2];
        random.nextBytes(noise);
        byte[] value = new byte[length];
        System.arraycopy(noise, 0, value, 0, noise.length);
        return Bytes.wrap(value);
    }

    private static Bytes prefix(int row) {
        return Bytes.utf8("row%06d/".formatted(row));
    }

    private static Bytes key(int row, int column) {
        return Bytes.utf8("row%06d/%02d".formatted(row, column));
    }
}
