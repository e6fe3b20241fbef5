package bt.sstable;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.fs.FileStore;
import bt.testing.CursorWalk;
import bt.testing.SeededTest;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.random.RandomGenerator;

class SSTablePropertyTest {
    private static final List<String> CODECS = List.of("none", "lz4", "zstd", "zstd-dict", "two-pass");

    @SeededTest(runs = 150)
    void readsWhatASortedMapReads(RandomGenerator random) throws BigtableException {
        NavigableMap<Bytes, Bytes> cells = SSTables.random(random, random.nextInt(800));
        SortedMap<Bytes, Bytes> deletions = SSTables.random(random, random.nextInt(40));
        check(cells, deletions, SSTables::randomKey, random);
    }

    /** Of which a file's index ends with another one than the last. */
    @SeededTest(runs = 150)
    void readsLongKeysAsASortedMapDoes(RandomGenerator random) throws BigtableException {
        NavigableMap<Bytes, Bytes> cells = longKeyed(random, random.nextInt(30));
        SortedMap<Bytes, Bytes> deletions = longKeyed(random, random.nextInt(5));
        check(cells, deletions, SSTables::longKey, random);
    }

    private static NavigableMap<Bytes, Bytes> longKeyed(RandomGenerator random, int entries) {
        NavigableMap<Bytes, Bytes> map = new TreeMap<>();
        for (int i = 0; i < entries; i++) {
            map.put(SSTables.longKey(random), Bytes.utf8("value " + i));
        }
        return map;
    }

    private static void check(
            NavigableMap<Bytes, Bytes> cells,
            SortedMap<Bytes, Bytes> deletions,
            Function<RandomGenerator, Bytes> keys,
            RandomGenerator random)
            throws BigtableException {
        FileStore store = SSTables.store();
        int blockBytes = 1 << random.nextInt(14);
        SSTableOptions options = SSTables.options(blockBytes, CODECS.get(random.nextInt(CODECS.size())));
        SSTables.write(store, options, cells, deletions);

        // Without a share for open files their indexes and filters come and go like blocks.
        long openBytes = random.nextInt(3) == 0 ? 0 : Long.MAX_VALUE;
        BlockCache cache = BlockCache.ofBytes(random.nextInt(1 << 18), openBytes);
        // A tail that is too large to be kept whole is cut off anywhere.
        int maxTailBytes = random.nextBoolean() ? Footer.BYTES + random.nextInt(2_000) : Tail.MAX_BYTES;
        InMemoryShare share = InMemoryShare.ofBytes(random.nextInt(1 << 18));
        Optional<InMemoryPlace> place = random.nextInt(3) == 0
                ? Optional.of(new InMemoryPlace(share, SSTables.BEFORE_SLASH))
                : Optional.empty();
        try (SSTable file = SSTable.open(store, SSTables.PATH, cache, place, maxTailBytes)) {
            assertThat(SSTables.all(file.cursor())).isEqualTo(SSTables.entries(cells));
            assertThat(SSTables.all(file.deletions())).isEqualTo(SSTables.entries(deletions));
            assertThat(SSTables.all(file.cursor(Access.COMPACTION))).isEqualTo(SSTables.entries(cells));
            assertThat(SSTables.all(file.deletions(Access.SCAN))).isEqualTo(SSTables.entries(deletions));
            Cursor cursor = file.cursor(random.nextBoolean() ? Access.LOOK_UP : Access.SCAN);
            new CursorWalk(cursor, cells).walk(1000, () -> keys.apply(random), random);
            for (Bytes key : cells.keySet()) {
                assertThat(file.mayContain(SSTables.rowHash(key))).isTrue();
                assertThat(file.mayContainColumn(FilterHash.of(key))).isTrue();
            }
            for (Bytes key : deletions.keySet()) {
                assertThat(file.mayContain(SSTables.rowHash(key))).isTrue();
                assertThat(file.mayDelete(SSTables.rowHash(key))).isTrue();
            }
        }
    }
}
