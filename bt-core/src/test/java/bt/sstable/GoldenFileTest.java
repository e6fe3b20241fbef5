package bt.sstable;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.fs.FileStore;
import java.io.IOException;
import java.io.InputStream;
import java.util.SortedMap;
import java.util.TreeMap;
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
                assertThat(file.mayContain(Bytes.utf8(String.format("row%03d", i))))
                        .isTrue();
            }
            assertThat(file.mayContain(Bytes.utf8("row300"))).isFalse();
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
