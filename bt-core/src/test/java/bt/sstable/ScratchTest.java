package bt.sstable;

import bt.base.Bytes;
import bt.fs.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ScratchTest {
    @Test
    void make() throws Exception {
        for (String codec : new String[] {"none", "lz4", "zstd"}) {
            SortedMap<Bytes, Bytes> cells = new TreeMap<>();
            for (int i = 0; i < 300; i++) {
                cells.put(
                        Bytes.utf8(String.format("row%03d/contents", i)),
                        Bytes.utf8(("page " + i + " ").repeat(i % 12)));
            }
            SortedMap<Bytes, Bytes> deletions = new TreeMap<>();
            for (int i = 0; i < 300; i += 100) {
                deletions.put(Bytes.utf8(String.format("row%03d", i)), Bytes.EMPTY);
            }
            FileStore store = SSTables.store();
            SSTables.write(store, SSTables.options(64, codec), cells, deletions);
            Files.write(
                    Path.of("src/test/resources/bt/sstable/version-1-" + codec + ".sstable"), SSTables.bytes(store));
        }
        FileStore store = SSTables.store();
        SSTableWriter writer = SSTableWriter.create(store, SSTables.PATH, SSTables.options(4096, "none"));
        writer.add(Bytes.utf8("apple/colour"), Bytes.utf8("red"));
        writer.add(Bytes.utf8("apple/cost"), Bytes.utf8("3"));
        writer.addDeletion(Bytes.utf8("banana"), Bytes.EMPTY);
        writer.finish(SSTables.seed().setCreator("bt"));
        Files.write(Path.of("target/example.sstable"), SSTables.bytes(store));
    }
}
