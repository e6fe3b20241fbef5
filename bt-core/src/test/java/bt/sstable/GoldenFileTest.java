package bt.sstable;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.fs.FileStore;
import java.io.IOException;
import java.io.InputStream;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that a writer of version 1 wrote once. They are never written again: whatever changes, they stay readable. */
class GoldenFileTest {
    @ParameterizedTest
    @ValueSource(strings = {"none", "lz4", "zstd"})
    void aFileOfVersionOneIsRead(String codec) throws IOException {
        FileStore store = SSTables.store();
        SSTables.replace(store, resource("version-1-" + codec + ".sstable"));
        try (SSTable file = SSTable.open(store, SSTables.PATH, BlockCache.ofBytes(0))) {
            assertThat(SSTables.all(file.cursor())).isEqualTo(SSTables.entries(cells()));
            assertThat(SSTables.all(file.deletions())).isEqualTo(SSTables.entries(deletions()));
            assertThat(file.properties().getCodec()).isEqualTo(codec);
            assertThat(file.properties().getEntries()).isEqualTo(303);
            assertThat(file.properties().getLargestSequence()).isEqualTo(9);
            for (int i = 0; i < 300; i++) {
                assertThat(file.mayContain(SSTables.hash(String.format("row%03d", i))))
                        .isTrue();
            }
            assertThat(file.mayContain(SSTables.hash("row300"))).isFalse();
        }
    }

    /** Files of version 1 from before there were such filters let everything pass; the others are right about each key. */
    @Test
    void theFiltersOfAFileAreRead() throws IOException {
        FileStore store = SSTables.store();
        SSTables.replace(store, resource("version-1-filters.sstable"));
        try (SSTable file = SSTable.open(store, SSTables.PATH, BlockCache.ofBytes(0))) {
            assertThat(SSTables.all(file.cursor())).isEqualTo(SSTables.entries(cells()));
            for (int i = 0; i < 300; i++) {
                FilterHash row = SSTables.hash(String.format("row%03d", i));
                assertThat(file.mayContain(row)).isTrue();
                assertThat(file.mayContainColumn(SSTables.hash(String.format("row%03d/contents", i))))
                        .isTrue();
                assertThat(file.mayDelete(row)).as("deletion of %d", i).isEqualTo(i % 100 == 0);
            }
            assertThat(file.mayContainColumn(SSTables.hash("row001/title"))).isFalse();
        }
        SSTables.replace(store, resource("version-1-none.sstable"));
        try (SSTable file = SSTable.open(store, SSTables.PATH, BlockCache.ofBytes(0))) {
            assertThat(file.mayContainColumn(SSTables.hash("row001/title"))).isTrue();
            assertThat(file.mayDelete(SSTables.hash("row001"))).isTrue();
            assertThat(file.mayDelete(SSTables.hash("row300"))).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"zstd-dict", "two-pass"})
    void aFileWithADictionaryIsRead(String codec) throws IOException {
        FileStore store = SSTables.store();
        SSTables.replace(store, resource("version-1-" + codec + ".sstable"));
        try (SSTable file = SSTable.open(store, SSTables.PATH, BlockCache.ofBytes(0))) {
            assertThat(SSTables.all(file.cursor())).isEqualTo(SSTables.entries(Texts.pages(new Random(9), 150)));
            assertThat(file.properties().getCodec()).isEqualTo(codec);
        }
    }

    /** More blocks than one leaf of the index takes. */
    private static SortedMap<Bytes, Bytes> cells() {
        SortedMap<Bytes, Bytes> cells = new TreeMap<>();
        for (int i = 0; i < 300; i++) {
            cells.put(Bytes.utf8(String.format("row%03d/contents", i)), Bytes.utf8(("page " + i + " ").repeat(i % 12)));
        }
        return cells;
    }

    private static SortedMap<Bytes, Bytes> deletions() {
        SortedMap<Bytes, Bytes> deletions = new TreeMap<>();
        for (int i = 0; i < 300; i += 100) {
            deletions.put(Bytes.utf8(String.format("row%03d", i)), Bytes.EMPTY);
        }
        return deletions;
    }

    private static byte[] resource(String name) throws IOException {
        try (InputStream in = GoldenFileTest.class.getResourceAsStream(name)) {
            assertThat(in).as(name).isNotNull();
            return in.readAllBytes();
        }
    }
}
