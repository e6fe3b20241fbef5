package bt.sstable;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.base.Output;
import bt.fs.FileStore;
import bt.sstable.SSTables.Entry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The worked example of docs/formats/sstable.md: what the writer writes, and what the reader reads. */
class FormatPageTest {
    private static final Path PAGE = Path.of("..", "docs", "formats", "sstable.md");
    private static final String TWO_PASS_STRING =
            "<link rel=\"stylesheet\" href=\"/style.css\"><script src=\"/script.js\"></script></head><body class=\"page\"><h1>";
    private static final String TWO_PASS_BLOCK = "<title>Row keys" + TWO_PASS_STRING + "Pears";
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

    /** A string comes for the fourth time: it enters the dictionary, and the block is a copy of it with a little text. */
    @Test
    void theTwoPassExampleIsWhatTheEncoderMakes() throws IOException {
        TwoPassEncoder encoder = new TwoPassEncoder();
        byte[] block = TWO_PASS_BLOCK.getBytes(UTF_8);
        byte[] target = new byte[encoder.maxCompressedBytes(block.length)];
        for (int i = 0; i < 3; i++) {
            byte[] earlier = TWO_PASS_STRING.getBytes(UTF_8);
            encoder.compress(earlier, earlier.length, target);
        }
        Output framed = new Output();
        BlockFrame.encode(new Output().raw(block), encoder, target, framed);
        assertThat(framed.toBytes().toHex()).isEqualTo(example("two-pass-block").toHex());
        assertThat(encoder.dictionary().orElseThrow().toBytes().toHex())
                .isEqualTo(example("two-pass-dictionary").toHex());
    }

    @Test
    void theTwoPassExampleIsReadAsThePageSays() throws IOException {
        byte[] dictionary = example("two-pass-dictionary").toArray();
        byte[] block = example("two-pass-block").toArray();
        BlockDecoder decoder =
                new TwoPassCodec(new ZstdCodec()).decoder("page", 0, new Payload(dictionary, 0, dictionary.length));
        Payload decoded = BlockFrame.decode("page", 0, block, 0, block.length, number -> Optional.of(decoder));
        assertThat(new String(decoded.array, decoded.from, decoded.length(), UTF_8))
                .isEqualTo(TWO_PASS_BLOCK);
    }

    private static Bytes example() throws IOException {
        return example("sstable");
    }

    private static Bytes example(String name) throws IOException {
        Output bytes = new Output();
        boolean inside = false;
        for (String line : Files.readAllLines(PAGE)) {
            if (line.startsWith("```")) {
                inside = line.equals("```" + name);
            } else if (inside && !line.isEmpty() && !line.startsWith("#")) {
                assertThat(line.substring(0, 4)).as(line).isEqualTo(String.format("%04x", bytes.size()));
                String hex = line.substring(6, Math.min(line.length(), 53));
                bytes.raw(Bytes.hex(hex.replace(" ", "")));
            }
        }
        return bytes.toBytes();
    }
}
