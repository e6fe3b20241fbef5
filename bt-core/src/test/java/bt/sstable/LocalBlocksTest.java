package bt.sstable;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.CorruptionException;
import bt.fs.LocalBlocks;
import bt.sstable.SSTables.Entry;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
    void aCompactionCopiesNothing() throws BigtableException {
        try (SSTable table = open()) {
            List<Entry> all = SSTables.all(table.cursor(Access.COMPACTION));
            assertThat(all).hasSize(1_000);
            assertThat(copies.kept).isEmpty();
        }
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
        private final Map<String, byte[]> kept = new HashMap<>();
        private int found;

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
        public void keep(String path, long offset, byte[] bytes, int length) {
            kept.putIfAbsent(path + "@" + offset, Arrays.copyOf(bytes, length));
        }

        @Override
        public void drop(String path, long offset) {
            kept.remove(path + "@" + offset);
        }
    }
}
