package bt.sstable;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.base.Output;
import bt.fs.FileStore;
import bt.sstable.SSTables.Entry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The worked example of docs/formats/sstable.md: what the writer writes, and what the reader reads. */
class FormatPageTest {
    private static final Path PAGE = Path.of("..", "docs", "formats", "sstable.md");
    private static final Bytes COLOUR = Bytes.utf8("apple/colour");
    private static final Bytes COST = Bytes.utf8("apple/cost");
    private static final Bytes BANANA = Bytes.utf8("banana");

    @Test
    void theExampleIsWhatTheWriterWrites() throws IOException {
        FileStore store = SSTables.store();
        SSTableWriter writer = SSTableWriter.create(store, SSTables.PATH, SSTables.options(4096, "none"));
        writer.add(COLOUR, Bytes.utf8("red"));
        writer.add(COST, Bytes.utf8("3"));
        writer.addDeletion(BANANA, Bytes.EMPTY);
        writer.finish(SSTables.seed().setCreator("bt"));
        assertThat(Bytes.wrap(SSTables.bytes(store)).toHex())
                .isEqualTo(example().toHex());
    }

    @Test
    void theExampleIsReadAsThePageSays() throws IOException {
        FileStore store = SSTables.store();
        SSTables.replace(store, example().toArray());
        try (SSTable file = SSTable.open(store, SSTables.PATH, BlockCache.ofBytes(0))) {
            assertThat(SSTables.all(file.cursor()))
                    .containsExactly(new Entry(COLOUR, Bytes.utf8("red")), new Entry(COST, Bytes.utf8("3")));
            assertThat(SSTables.all(file.deletions())).containsExactly(new Entry(BANANA, Bytes.EMPTY));
        }
    }

    private static Bytes example() throws IOException {
        Output bytes = new Output();
        boolean inside = false;
        for (String line : Files.readAllLines(PAGE)) {
            if (line.startsWith("```")) {
                inside = line.equals("```sstable");
            } else if (inside && !line.isEmpty() && !line.startsWith("#")) {
                assertThat(line.substring(0, 4)).as(line).isEqualTo(String.format("%04x", bytes.size()));
                String hex = line.substring(6, Math.min(line.length(), 53));
                bytes.raw(Bytes.hex(hex.replace(" ", "")));
            }
        }
        return bytes.toBytes();
    }
}
