package bt.sstable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.fs.FileStore;
import bt.sstable.SSTables.Entry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SSTableDamageTest {
    @ParameterizedTest
    @ValueSource(strings = {"none", "lz4", "zstd", "two-pass"})
    void everyBitThatFlipsIsCorruptionOrChangesNothing(String codec) throws BigtableException {
        FileStore store = SSTables.store();
        byte[] whole = write(store, codec);
        Contents contents = read(store).orElseThrow();
        int complaints = 0;
        for (int at = 0; at < whole.length; at++) {
            for (int bit = 1; bit < 0x100; bit <<= 1) {
                byte[] damaged = whole.clone();
                damaged[at] ^= (byte) bit;
                SSTables.replace(store, damaged);
                Optional<Contents> seen = read(store);
                complaints += seen.isEmpty() ? 1 : 0;
                seen.ifPresent(each -> assertThat(each).isEqualTo(contents));
            }
        }
        // The header too: the first read of so small a file reaches it.
        assertThat(complaints).isEqualTo(8 * whole.length);
    }

    /** The header of a large file is for people; whoever reads the file begins with its footer, which says the same. */
    @Test
    void aHeaderThatNoReadReachesChangesNothing() throws BigtableException {
        FileStore store = SSTables.store();
        SortedMap<Bytes, Bytes> cells = new TreeMap<>();
        for (int i = 0; i < 100; i++) {
            cells.put(Bytes.utf8(String.format("row%02d", i)), Bytes.utf8("a value ".repeat(200) + i));
        }
        SSTables.write(store, SSTables.options(64 << 10, "none"), cells, new TreeMap<>());
        byte[] whole = SSTables.bytes(store);
        assertThat(whole.length).isGreaterThan(Tail.FIRST_READ_BYTES);
        Contents contents = read(store).orElseThrow();
        for (int at = 0; at < Footer.HEADER_BYTES; at++) {
            byte[] damaged = whole.clone();
            damaged[at] ^= 0x10;
            SSTables.replace(store, damaged);
            assertThat(read(store)).contains(contents);
        }
    }

    @ParameterizedTest
    @EnumSource(Access.class)
    void everyWayToReadAFileFindsItsDamage(Access access) throws BigtableException {
        FileStore store = SSTables.store();
        byte[] whole = write(store, "lz4");
        Caches caches = Caches.of(new CacheSizes(1 << 20, 0, 1 << 20));
        for (int at = 0; at < whole.length; at++) {
            byte[] damaged = whole.clone();
            damaged[at] ^= 0x10;
            SSTables.replace(store, damaged);
            assertThatThrownBy(() -> readOnce(SSTable.open(store, SSTables.PATH, BlockCache.ofBytes(0)), access))
                    .as("byte %d", at)
                    .isInstanceOf(CorruptionException.class)
                    .hasMessageMatching(SSTables.PATH + ".*(at|block) \\d+.*");
            assertThatThrownBy(() ->
                            readOnce(SSTable.openInMemory(store, SSTables.PATH, caches, SSTables.BEFORE_SLASH), access))
                    .isInstanceOf(CorruptionException.class)
                    .hasMessageStartingWith(SSTables.PATH);
            assertThat(caches.inMemory().bytes()).isZero();
        }
    }

    private static void readOnce(SSTable opened, Access access) throws BigtableException {
        try (SSTable file = opened) {
            SSTables.all(file.cursor(access));
            SSTables.all(file.deletions(access));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "lz4", "zstd", "two-pass"})
    void everyFileThatWasCutOffIsCorruption(String codec) throws BigtableException {
        FileStore store = SSTables.store();
        byte[] whole = write(store, codec);
        for (int length = 0; length < whole.length; length++) {
            SSTables.replace(store, Arrays.copyOf(whole, length));
            assertThat(read(store)).isEmpty();
        }
    }

    private static byte[] write(FileStore store, String codec) throws BigtableException {
        SortedMap<Bytes, Bytes> cells = new TreeMap<>();
        for (int i = 0; i < 40; i++) {
            cells.put(Bytes.utf8(String.format("row%02d/anchor", i)), Bytes.utf8("the same text, the same text " + i));
        }
        SortedMap<Bytes, Bytes> deletions = new TreeMap<>();
        deletions.put(Bytes.utf8("row07"), Bytes.EMPTY);
        SSTables.write(store, SSTables.options(512, codec), cells, deletions);
        return SSTables.bytes(store);
    }

    /** Everything that can be read, or nothing where the file is found damaged. */
    private static Optional<Contents> read(FileStore store) throws BigtableException {
        try (SSTable file = SSTable.open(store, SSTables.PATH, BlockCache.ofBytes(1 << 20))) {
            List<Entry> found = new ArrayList<>();
            Cursor cursor = file.cursor();
            for (int i = 0; i < 40; i += 3) {
                if (cursor.seek(Bytes.utf8(String.format("row%02d", i)))) {
                    found.add(new Entry(cursor.key().toBytes(), cursor.value().toBytes()));
                }
            }
            return Optional.of(new Contents(
                    SSTables.all(file.cursor()),
                    SSTables.all(file.deletions()),
                    found,
                    file.mayContain(SSTables.hash("row07")),
                    file.properties().toString()));
        } catch (CorruptionException damage) {
            assertThat(damage).hasMessageMatching(SSTables.PATH + ".*(at|block) \\d+.*");
            return Optional.empty();
        }
    }

    private record Contents(
            List<Entry> cells, List<Entry> deletions, List<Entry> found, boolean filter, String properties) {}
}
