package bt.sstable;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.fs.FileStore;
import bt.sstable.SSTables.Entry;
import bt.testing.CursorWalk;
import bt.testing.SeededTest;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class ScanCacheTest {
    private final NavigableMap<Bytes, Bytes> cells = new TreeMap<>();

    @Test
    void whatIsAskedTwiceIsFoundTheThirdTime() throws BigtableException {
        put("a/1", 10);
        put("b/1", 10);
        put("b/2", 10);
        ScanCache cache = ScanCache.ofBytes(1 << 20);
        try (SSTable file = open()) {
            for (int i = 0; i < 3; i++) {
                assertThat(cache.hits()).isZero();
                assertThat(below(rowOf(cache, file, "b/"), "b/"))
                        .isEqualTo(SSTables.entries(cells.tailMap(Bytes.utf8("b/"))));
            }
            assertThat(cache.hits()).isEqualTo(1);
            assertThat(cache.misses()).isEqualTo(2);
        }
    }

    @Test
    void thatThereIsNothingIsFoundTooAndCursorsSeekAmongWhatThereIs() throws BigtableException {
        for (int i = 0; i < 20; i++) {
            put("b/" + (char) ('a' + i), i);
        }
        ScanCache cache = ScanCache.ofBytes(1 << 20);
        try (SSTable file = open()) {
            for (int i = 0; i < 3; i++) {
                assertThat(below(rowOf(cache, file, "c/"), "c/")).isEmpty();
                Cursor cursor = rowOf(cache, file, "b/");
                assertThat(cursor.seek(Bytes.utf8("b/m"))).isTrue();
                assertThat(cursor.key()).hasToString("b/m");
                assertThat(cursor.value().length()).isEqualTo(12);
                assertThat(cursor.seek(Bytes.utf8("b/b"))).isTrue();
                assertThat(cursor.next()).isTrue();
                assertThat(cursor.key()).hasToString("b/c");
                assertThat(cursor.seek(Bytes.utf8("b/z"))).isFalse();
            }
            assertThat(cache.hits()).isEqualTo(2);
        }
    }

    @SeededTest(runs = 50)
    void itsCursorsGoToAndFro(RandomGenerator random) throws BigtableException {
        int entries = random.nextInt(20);
        for (int i = 0; i < entries; i++) {
            put("b/" + (char) ('a' + 2 * random.nextInt(12)), i);
        }
        ScanCache cache = ScanCache.ofBytes(1 << 20);
        try (SSTable file = open()) {
            for (int i = 0; i < 3; i++) {
                Cursor cursor = rowOf(cache, file, "b/");
                new CursorWalk(cursor, cells)
                        .walk(100, () -> Bytes.utf8("b/" + (char) ('a' + random.nextInt(26))), random);
            }
            assertThat(cache.hits()).isEqualTo(1);
        }
    }

    @Test
    void largeEntriesAreReadWhereTheyLie() throws BigtableException {
        put("a/1", 9_000);
        put("a/2", 9_000);
        ScanCache cache = ScanCache.ofBytes(1 << 20);
        try (SSTable file = open()) {
            for (int i = 0; i < 4; i++) {
                assertThat(below(rowOf(cache, file, "a/"), "a/")).isEqualTo(SSTables.entries(cells));
            }
            assertThat(cache.bytes()).isBetween(1L, 1_000L);
            assertThat(cache.hits()).isZero();
        }
    }

    @Test
    void anotherPrefixWithTheSameHashIsNotTakenForIt() throws BigtableException {
        put("a/1", 1);
        put("b/1", 2);
        ScanCache cache = ScanCache.ofBytes(1 << 20);
        try (SSTable file = open()) {
            for (int i = 0; i < 3; i++) {
                for (String prefix : List.of("a/", "b/")) {
                    Cursor cursor = cache.cursor(
                            file, Bytes.utf8(prefix), new FilterHash(7), new FilterHash(7), new SpareCursors());
                    assertThat(below(cursor, prefix)).hasSize(1);
                }
            }
        }
    }

    @Test
    void itKeepsToItsBytes() throws BigtableException {
        for (int i = 0; i < 1_000; i++) {
            put(String.format("r%03d/", i), 100);
        }
        ScanCache cache = ScanCache.ofBytes(20_000);
        try (SSTable file = open()) {
            for (int i = 0; i < 3_000; i++) {
                String prefix = String.format("r%03d/", i / 3);
                assertThat(below(rowOf(cache, file, prefix), prefix)).hasSize(1);
            }
        }
        assertThat(cache.bytes()).isBetween(1L, 20_000L);
        assertThat(cache.hits()).isPositive();
    }

    @Test
    void nothingIsCopiedOfAFileInMemory() throws BigtableException {
        put("a/1", 10);
        Caches caches = Caches.of(new CacheSizes(1 << 20, 1 << 20, 1 << 20));
        ScanCache cache = caches.scans();
        FileStore store = SSTables.store();
        SSTables.write(store, SSTables.options(1 << 10, "none"), cells, new TreeMap<>());
        try (SSTable file = SSTable.openInMemory(store, SSTables.PATH, caches, SSTables.BEFORE_SLASH)) {
            assertThat(file.cursor().seek(Bytes.EMPTY)).isTrue();
            for (int i = 0; i < 4; i++) {
                assertThat(below(rowOf(cache, file, "a/"), "a/")).isEqualTo(SSTables.entries(cells));
            }
            assertThat(cache.bytes()).isZero();
            assertThat(cache.hits() + cache.misses()).isZero();
        }
    }

    private void put(String key, int valueBytes) {
        cells.put(Bytes.utf8(key), Bytes.wrap(new byte[valueBytes]));
    }

    private SSTable open() throws BigtableException {
        FileStore store = SSTables.store();
        SSTables.write(store, SSTables.options(1 << 10, "none"), cells, new TreeMap<>());
        return SSTable.open(store, SSTables.PATH, BlockCache.ofBytes(1 << 20));
    }

    private static List<Entry> below(Cursor cursor, String prefix) throws BigtableException {
        boolean more = cursor.seek(Bytes.utf8(prefix));
        List<Entry> entries = new ArrayList<>();
        while (more && cursor.key().toBytes().startsWith(Bytes.utf8(prefix))) {
            entries.add(new Entry(cursor.key().toBytes(), cursor.value().toBytes()));
            more = cursor.next();
        }
        return entries;
    }

    /** What the cache has, or finds, of a row. */
    private static Cursor rowOf(ScanCache cache, SSTable file, String prefix) throws BigtableException {
        FilterHash hash = SSTables.hash(prefix);
        return cache.cursor(file, Bytes.utf8(prefix), hash, hash, new SpareCursors());
    }
}
