package bt.sstable;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.CorruptionException;
import bt.fs.LocalBlocks;
import bt.sstable.SSTables.Entry;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A file whose blocks are copied to a local disk. */
class LocalBlocksTest {
    private final CountedFile file = new CountedFile();
    private final Copies copies = new Copies();

    LocalBlocksTest() throws BigtableException {}

    @BeforeEach
    void aFileOfSomeBlocks() throws BigtableException {
        file.write(1_000, 1 << 10);
    }

    @Test
    void aBlockThatNoCacheHasIsReadFromItsCopy() throws BigtableException {
        try (SSTable table = open()) {
            find(table, 500);
            int reads = file.reads;
            find(table, 500);
            assertThat(file.reads).isEqualTo(reads);
            assertThat(copies.found).isPositive();
        }
    }

    @Test
    void whatComesFromCopiesIsCounted() throws BigtableException {
        BlockCache cache = BlockCache.ofBytes(0, copies);
        try (SSTable table = SSTable.open(file.store, SSTables.PATH, cache)) {
            find(table, 500);
            assertThat(cache.localHits()).isZero();
            assertThat(cache.localMisses()).isOne();
            for (int i = 0; i < 3; i++) {
                find(table, 500);
            }
            assertThat(cache.localHits()).isEqualTo(3);
            assertThat(cache.localMisses()).isOne();
            assertThat(cache.localBytes()).isEqualTo(copies.bytes()).isPositive();
            // It copies what it reads.
            assertThat(SSTables.all(table.cursor(Access.SCAN))).hasSize(1_000);
            long missed = cache.localMisses();
            assertThat(missed).isGreaterThan(1);
            long hits = cache.localHits();
            assertThat(SSTables.all(table.cursor(Access.SCAN))).hasSize(1_000);
            assertThat(cache.localHits()).isGreaterThan(hits + 10);
            assertThat(cache.localMisses()).isEqualTo(missed);
        }
        assertThat(BlockCache.ofBytes(0).maxLocalBytes()).isZero();
    }

    @Test
    void aDamagedCopyIsAsGoodAsNone() throws BigtableException {
        try (SSTable table = open()) {
            find(table, 500);
            copies.kept.values().forEach(bytes -> bytes[bytes.length / 2] ^= 1);
            int reads = file.reads;
            find(table, 500);
            assertThat(file.reads).isGreaterThan(reads);
        }
    }

    @Test
    void aDamagedCopyGivesWayToAnother() throws BigtableException {
        try (SSTable table = open()) {
            find(table, 500);
            copies.kept.values().forEach(bytes -> bytes[bytes.length / 2] ^= 1);
            find(table, 500);
            int reads = file.reads;
            find(table, 500);
            assertThat(file.reads).isEqualTo(reads);
        }
    }

    @Test
    void aDamagedBlockIsNotCopied() throws BigtableException {
        byte[] damaged = SSTables.bytes(file.store);
        damaged[damaged.length / 2] ^= 1;
        SSTables.replace(file.store, damaged);
        try (SSTable table = open()) {
            int refused = 0;
            for (int i = 0; i < 1_000; i++) {
                copies.kept.clear();
                try {
                    find(table, i);
                } catch (CorruptionException expected) {
                    refused++;
                    assertThat(copies.kept).isEmpty();
                }
            }
            assertThat(refused).isPositive();
        }
    }

    @Test
    void aCompactionMakesNoCopiesAndReadsNone() throws BigtableException {
        try (SSTable table = open()) {
            List<Entry> all = SSTables.all(table.cursor(Access.COMPACTION));
            assertThat(all).hasSize(1_000);
            assertThat(copies.kept).isEmpty();
            assertThat(SSTables.all(table.cursor(Access.SCAN))).isEqualTo(all);
            int reads = file.reads;
            copies.found = 0;
            assertThat(SSTables.all(table.cursor(Access.COMPACTION))).isEqualTo(all);
            assertThat(copies.found).isZero();
            assertThat(file.reads).isGreaterThan(reads);
        }
    }

    @Test
    void aScanReadsCopiesWhoeverMadeThem() throws BigtableException {
        try (SSTable table = open()) {
            List<Entry> all = SSTables.all(table.cursor(Access.COMPACTION));
            for (int i = 0; i < 1_000; i++) {
                find(table, i);
            }
            int reads = file.reads;
            ReadWork.ofThread().begin(ReadWork.Terms.NONE, Long.MAX_VALUE);
            assertThat(SSTables.all(table.cursor(Access.SCAN))).isEqualTo(all);
            assertThat(file.reads).isEqualTo(reads);
            assertThat(ReadWork.ofThread().copiesRead())
                    .isEqualTo(copies.kept.size())
                    .isEqualTo(ReadWork.ofThread().blocksRead());
        }
    }

    @Test
    void theNextScanReadsWhatAScanHasCopied() throws BigtableException {
        try (SSTable table = open()) {
            List<Entry> all = SSTables.all(table.cursor(Access.SCAN));
            assertThat(all).hasSize(1_000);
            int reads = file.reads;
            assertThat(SSTables.all(table.cursor(Access.SCAN))).isEqualTo(all);
            assertThat(file.reads).isEqualTo(reads);
        }
    }

    @Test
    void aScanCopiesWhereThereIsRoomAlone() throws BigtableException {
        try (SSTable table = open()) {
            copies.hasRoom = false;
            assertThat(SSTables.all(table.cursor(Access.SCAN))).hasSize(1_000);
            // Its first two, for it may be a short one.
            assertThat(copies.kept).hasSize(2);
            copies.kept.clear();
            downwards(table);
            assertThat(copies.kept).hasSize(2);
        }
    }

    @Test
    void aScanReadsFromTheFileWhatHasNoCopyAndNoMoreOften() throws BigtableException {
        try (SSTable table = open()) {
            int before = file.reads;
            List<Entry> all = SSTables.all(table.cursor(Access.SCAN));
            int reads = file.reads - before;
            for (int part = 2; part < 7; part++) {
                copies.hasRoom = true;
                assertThat(SSTables.all(table.cursor(Access.SCAN))).isEqualTo(all);
                copies.hasRoom = false;
                dropOneOf(part);
                before = file.reads;
                assertThat(SSTables.all(table.cursor(Access.SCAN))).isEqualTo(all);
                assertThat(file.reads - before).isBetween(1, 2 * reads);
            }
        }
    }

    private void dropOneOf(int part) {
        int i = 0;
        for (String key : List.copyOf(copies.kept.keySet())) {
            if (i++ % part == 0) {
                copies.kept.remove(key);
            }
        }
    }

    @Test
    void aScanPassesOverDamagedCopies() throws BigtableException {
        try (SSTable table = open()) {
            List<Entry> all = SSTables.all(table.cursor(Access.SCAN));
            copies.hasRoom = false;
            int i = 0;
            for (byte[] bytes : copies.kept.values()) {
                bytes[bytes.length / 2] ^= (byte) (i++ % 3 == 0 ? 1 : 0);
            }
            int whole = copies.kept.size() - (i + 2) / 3;
            assertThat(SSTables.all(table.cursor(Access.SCAN))).isEqualTo(all);
            assertThat(copies.kept.size()).isBetween(whole, whole + 2);
            assertThat(SSTables.all(table.cursor(Access.SCAN))).isEqualTo(all);
        }
    }

    @Test
    void thePagesOfAScanReadEachCopyOnce() throws BigtableException {
        try (SSTable table = SSTable.open(file.store, SSTables.PATH, BlockCache.ofBytes(1 << 20, copies))) {
            assertThat(SSTables.all(table.cursor(Access.SCAN))).hasSize(1_000);
        }
        try (SSTable table = SSTable.open(file.store, SSTables.PATH, BlockCache.ofBytes(1 << 20, copies))) {
            int blocks = copies.kept.size();
            int reads = file.reads;
            copies.found = 0;
            for (int from = 0; from < 1_000; from += 100) {
                Cursor cursor = table.cursor(Access.SCAN);
                assertThat(cursor.seek(CountedFile.key(from))).isTrue();
                for (int i = from; i < from + 100; i++) {
                    assertThat(cursor.key().toBytes()).isEqualTo(CountedFile.key(i));
                    assertThat(cursor.value().toBytes()).isEqualTo(CountedFile.value(i));
                    assertThat(cursor.next()).isEqualTo(i < 999);
                }
            }
            assertThat(copies.found).isEqualTo(blocks);
            assertThat(file.reads).isEqualTo(reads);
        }
    }

    @Test
    void scansAndLookUpsBesideEachOtherSeeTheSameWhileCopiesComeAndGo() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try (SSTable table = SSTable.open(file.store, SSTables.PATH, BlockCache.ofBytes(64 << 10, copies))) {
            List<Entry> all = SSTables.all(table.cursor(Access.COMPACTION));
            List<Future<?>> running = new ArrayList<>();
            for (int thread = 0; thread < 4; thread++) {
                int part = 2 + thread;
                running.add(threads.submit(() -> {
                    for (int round = 0; round < 30; round++) {
                        assertThat(SSTables.all(table.cursor(Access.SCAN))).isEqualTo(all);
                        find(table, (part * 97 + round * 31) % 1_000);
                        dropOneOf(part);
                    }
                    return null;
                }));
            }
            for (Future<?> thread : running) {
                thread.get();
            }
            assertThat(copies.found).isPositive();
        } finally {
            threads.shutdownNow();
        }
    }

    private static void downwards(SSTable table) throws BigtableException {
        Cursor cursor = table.cursor(Access.REVERSED_SCAN);
        assertThat(cursor.seekToLast()).isTrue();
        int seen = 1;
        while (cursor.previous()) {
            seen++;
        }
        assertThat(seen).isEqualTo(1_000);
    }

    private SSTable open() throws BigtableException {
        return SSTable.open(file.store, SSTables.PATH, BlockCache.ofBytes(0, copies));
    }

    private static void find(SSTable table, int i) throws BigtableException {
        Cursor cursor = table.cursor();
        assertThat(cursor.seek(CountedFile.key(i))).isTrue();
        assertThat(cursor.value().toBytes()).isEqualTo(CountedFile.value(i));
    }

    /** In memory. */
    private static final class Copies implements LocalBlocks {
        private final Map<String, byte[]> kept = new ConcurrentHashMap<>();
        private int found;
        private boolean hasRoom = true;

        @Override
        public boolean lacks(String path, long offset) {
            return !kept.containsKey(path + "@" + offset);
        }

        @Override
        public boolean read(String path, long offset, int from, byte[] target, int length) {
            byte[] bytes = kept.get(path + "@" + offset);
            if (bytes == null || from > bytes.length - length) {
                return false;
            }
            System.arraycopy(bytes, from, target, 0, length);
            found++;
            return true;
        }

        @Override
        public boolean has(String path, long offset) {
            return !lacks(path, offset);
        }

        @Override
        public void keep(String path, long offset, ByteBuffer part) {
            byte[] bytes = new byte[part.remaining()];
            part.get(bytes);
            kept.putIfAbsent(path + "@" + offset, bytes);
        }

        @Override
        public void keepWhereFree(String path, long offset, ByteBuffer part) {
            if (hasRoom) {
                keep(path, offset, part);
            }
        }

        @Override
        public void drop(String path, long offset) {
            kept.remove(path + "@" + offset);
        }

        @Override
        public long bytes() {
            return kept.values().stream().mapToLong(bytes -> bytes.length).sum();
        }

        @Override
        public long maxBytes() {
            return Long.MAX_VALUE;
        }
    }
}
