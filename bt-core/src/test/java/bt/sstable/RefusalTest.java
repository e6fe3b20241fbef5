package bt.sstable;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Crc32c;
import bt.base.Output;
import bt.base.UnavailableException;
import bt.fs.FileStore;
import bt.fs.FileWriter;
import bt.record.SSTableProperties;
import bt.sstable.SSTables.Entry;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a whole file may be, and this program must not guess at. */
class RefusalTest {
    private static final int VERSION_FROM_END = 8 + 2 * Integer.BYTES;

    private FileStore store;
    private Output bytes;

    @BeforeEach
    void write() throws BigtableException {
        store = SSTables.store();
        TreeMap<Bytes, Bytes> cells = new TreeMap<>();
        cells.put(Bytes.utf8("a"), Bytes.utf8("1"));
        SSTables.write(store, SSTables.options(1024, "none"), cells, new TreeMap<>());
        bytes = new Output().raw(SSTables.bytes(store));
    }

    @Test
    void aNewerVersionIsRefused() {
        int at = bytes.size() - VERSION_FROM_END;
        bytes.setU32(at, 2);
        bytes.setU32(at + 4, Crc32c.of(bytes.array(), at + 4 - Footer.BYTES + 12, Footer.BYTES - 12));
        assertNotForUs("version 2, this program reads 1");
    }

    @Test
    void aVersionThatTheChecksumDoesNotKnowIsDamage() {
        bytes.setU32(bytes.size() - VERSION_FROM_END, 2);
        assertRefused("footer crc");
    }

    @Test
    void aCodecThatIsNotKnownIsRefused() {
        // The only data block follows the header: 3 + 1 + 1 bytes of entry, 8 of restart points, then its codec.
        int from = Footer.HEADER_BYTES;
        int codecAt = from + 13;
        bytes.array()[codecAt] = 77;
        bytes.setU32(codecAt + 5, Crc32c.of(bytes.array(), from, 18));
        assertNotForUs("data/7/1/3 at 12: codec 77 is not known");
    }

    @Test
    void aBlockWhoseDictionaryIsNotThereIsRefused() {
        int from = Footer.HEADER_BYTES;
        int codecAt = from + 13;
        bytes.array()[codecAt] = ZstdDictionaryCodec.NUMBER;
        bytes.setU32(codecAt + 5, Crc32c.of(bytes.array(), from, 18));
        assertRefused(": no section of kind 6");
    }

    @Test
    void aBlockThatClaimsMoreThanItsCodecCanDoIsRefused() {
        int from = Footer.HEADER_BYTES;
        int codecAt = from + 13;
        bytes.array()[codecAt] = 1;
        bytes.setU32(codecAt + 1, 1 << 30);
        bytes.setU32(codecAt + 5, Crc32c.of(bytes.array(), from, 18));
        assertRefused("13 bytes cannot stand for 1073741824, at most for 3315");
    }

    @Test
    void aFeatureThatIsNotKnownIsRefused() throws BigtableException {
        SSTableProperties properties;
        try (SSTable file = SSTable.open(store, SSTables.PATH, BlockCache.ofBytes(0))) {
            properties = file.properties();
        }
        properties.setFeatures(List.of("two-pass"));
        Output payload = PropertiesCodec.encode(properties);
        assertThatThrownBy(
                        () -> PropertiesCodec.decode(SSTables.PATH, 7, new Payload(payload.array(), 0, payload.size())))
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining("data/7/1/3 block 7")
                .hasMessageContaining("it uses \"two-pass\"")
                .hasMessageContaining("upgrade this server");
    }

    @Test
    void keysOutOfOrderFromBlockToBlockAreFound() throws BigtableException {
        store.delete(SSTables.PATH);
        FileWriter file = store.create(SSTables.PATH, FileStore.Placement.DATA);
        append(file, Footer.header());
        BlockWriter blocks = new BlockWriter(file);
        BlockBuilder leaf = new BlockBuilder(1, 64);
        for (Entry keyAndSeparator : List.of(entry("b", "b"), entry("a", "c"))) {
            BlockBuilder block = new BlockBuilder(16, 64);
            block.add(keyAndSeparator.key(), Bytes.EMPTY);
            leaf.add(
                    keyAndSeparator.value(),
                    blocks.write(block.finish(), Codec.NONE).encode());
        }
        BlockBuilder root = new BlockBuilder(1, 64);
        root.add(Bytes.utf8("c"), blocks.write(leaf.finish(), Codec.NONE).encode());
        BlockHandle rootAt = blocks.write(root.finish(), Codec.NONE);
        BlockHandle sections = blocks.write(new Sections(Map.of()).encode(), Codec.NONE);
        append(file, new Footer(rootAt.offset(), sections).encode());
        file.close();
        BlockFile whole = BlockFile.open(store.open(SSTables.PATH), BlockCache.ofBytes(0), Tail.MAX_BYTES);
        Cursor cursor = new RunCursor().enter(whole, Block.decode(SSTables.PATH, rootAt.offset(), whole.read(rootAt)));
        assertThatThrownBy(() -> SSTables.all(cursor))
                .isInstanceOf(CorruptionException.class)
                .hasMessageContaining("a key that does not come after the block before it");
    }

    private static Entry entry(String key, String separator) {
        return new Entry(Bytes.utf8(key), Bytes.utf8(separator));
    }

    private void assertRefused(String why) {
        assertRefused(CorruptionException.class, why);
    }

    /** The file is whole, and another program may read it. */
    private void assertNotForUs(String why) {
        assertRefused(UnavailableException.class, why);
    }

    private void assertRefused(Class<? extends BigtableException> kind, String why) {
        assertThatThrownBy(() -> {
                    SSTables.replace(store, bytes.toArray());
                    try (SSTable file = SSTable.open(store, SSTables.PATH, BlockCache.ofBytes(0))) {
                        SSTables.all(file.cursor());
                    }
                })
                .isInstanceOf(kind)
                .hasMessageMatching(SSTables.PATH + ".*(at|block) \\d+.*")
                .hasMessageContaining(why);
    }

    private static void append(FileWriter file, Output output) throws BigtableException {
        file.append(output.array(), 0, output.size());
    }
}
