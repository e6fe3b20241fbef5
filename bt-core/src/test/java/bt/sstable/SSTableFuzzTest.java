package bt.sstable;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Crc32c;
import bt.base.Input;
import bt.base.Output;
import bt.base.Slice;
import bt.base.UnavailableException;
import bt.fs.FileStore;
import bt.fs.FileWriter;
import bt.record.SSTableProperties;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.List;
import java.util.Map;

/** Any bytes decode or are CORRUPTION; behind a checksum as well, where only whoever can compute one puts them. */
class SSTableFuzzTest {
    private static final String PATH = "fuzz";

    @FuzzTest
    void file(byte[] data) throws BigtableException {
        FileStore store = SSTables.store();
        SSTables.replace(store, data);
        readAll(store);
    }

    @FuzzTest
    void rootOfAnIndex(byte[] data) throws BigtableException {
        readAll(indexed((leaf, sound) -> leaf ? sound : new Output().raw(data)));
    }

    @FuzzTest
    void leafOfAnIndex(byte[] data) throws BigtableException {
        readAll(indexed((leaf, sound) -> leaf ? new Output().raw(data) : sound));
    }

    @FuzzTest
    void block(byte[] data) {
        decoding(() -> {
            BlockCursor cursor = new BlockCursor(Block.decode(PATH, 0, new Payload(data, 0, data.length)));
            Slice shown = new Slice();
            while (cursor.next()) {
                cursor.showKey(shown);
                shown.toBytes();
                cursor.showValue(shown);
                shown.toBytes();
            }
            for (boolean more = cursor.last(); more; more = cursor.previous()) {
                cursor.showKey(shown);
                shown.toBytes();
            }
            Bytes target = Bytes.wrap(data, 0, Math.min(data.length, 3));
            if (cursor.seek(target)) {
                cursor.showKey(shown);
                if (shown.compareWith(target) < 0) {
                    throw new AssertionError("a seek to " + target + " found " + shown);
                }
            }
        });
    }

    @FuzzTest
    void frame(byte[] data) {
        byte[] framed =
                new Output().raw(data).u32(Crc32c.of(data, 0, data.length)).toArray();
        if (framed.length >= BlockFrame.TRAILER_BYTES) {
            decoding(() -> BlockFrame.decode(PATH, 0, framed, 0, framed.length, Codecs::plain));
        }
    }

    @FuzzTest
    void footer(byte[] data) {
        if (data.length >= Footer.BYTES) {
            int crcAt = data.length - 8 - Integer.BYTES;
            int from = data.length - Footer.BYTES;
            Output repaired = new Output().raw(data);
            repaired.setU32(crcAt, Crc32c.of(data, from, crcAt - from));
            decoding(() -> Footer.decode(PATH, 1L << 40, data));
            decoding(() -> Footer.decode(PATH, data.length, repaired.toArray()));
        }
    }

    @FuzzTest
    void sections(byte[] data) {
        decoding(() -> Sections.decode(new Input(PATH, 0, data, 0, data.length), 1 << 20));
    }

    @FuzzTest
    void filter(byte[] data) {
        decoding(() -> BloomFilter.decode(PATH, 0, new Payload(data, 0, data.length))
                .mayContain(FilterHash.of(data, data.length)));
    }

    @FuzzTest
    void properties(byte[] data) {
        byte[] object = new Output()
                .varint(AvroBytes.fields(SSTableProperties.class))
                .raw(data)
                .toArray();
        decoding(() -> PropertiesCodec.decode(PATH, 0, new Payload(data, 0, data.length)));
        decoding(() -> PropertiesCodec.decode(PATH, 0, new Payload(object, 0, object.length)));
    }

    /** A file with one data block, of a and b, and with an index block of somebody else's making. */
    private static FileStore indexed(IndexBlock made) throws BigtableException {
        FileStore store = SSTables.store();
        FileWriter file = store.create(SSTables.PATH, FileStore.Placement.DATA);
        append(file, Footer.header());
        BlockWriter blocks = new BlockWriter(file);
        BlockBuilder entries = new BlockBuilder(16, 64);
        entries.add(Bytes.utf8("a"), Bytes.utf8("1"));
        entries.add(Bytes.utf8("b"), Bytes.utf8("2"));
        BlockHandle data = blocks.write(entries.finish(), Codec.NONE);
        BlockHandle leaf = blocks.write(made.of(true, toB(data)), Codec.NONE);
        BlockHandle root = blocks.write(made.of(false, toB(leaf)), Codec.NONE);
        BlockHandle properties = blocks.write(PropertiesCodec.encode(properties()), Codec.NONE);
        BlockHandle sections = blocks.write(
                new Sections(Map.of(Sections.CELLS, root, Sections.DELETIONS, root, Sections.PROPERTIES, properties))
                        .encode(),
                Codec.NONE);
        append(file, new Footer(leaf.offset(), sections).encode());
        file.close();
        return store;
    }

    private static Output toB(BlockHandle block) {
        BlockBuilder index = new BlockBuilder(1, 64);
        index.add(Bytes.utf8("b"), block.encode());
        return index.finish();
    }

    private static void readAll(FileStore store) {
        Caches caches = Caches.of(new CacheSizes(1 << 20, 0, 1 << 20));
        decoding(() -> {
            try (SSTable file = SSTable.open(store, SSTables.PATH, caches.blocks())) {
                file.mayContain(SSTables.hash("a"));
                file.mayContainColumn(SSTables.hash("a"));
                file.mayDelete(SSTables.hash("a"));
            }
        });
        for (Access access : Access.values()) {
            decoding(() -> {
                try (SSTable file = SSTable.open(store, SSTables.PATH, caches.blocks())) {
                    file.cursor(access).seek(Bytes.utf8("a"));
                    SSTables.all(file.cursor(access));
                    SSTables.all(file.deletions(access));
                    SSTables.allBackwards(file.deletions(access));
                    file.cursor(access).seekBefore(Bytes.utf8("b"));
                    SSTables.allBackwards(file.cursor(access));
                }
            });
        }
        decoding(() -> {
            try (SSTable file = SSTable.openInMemory(store, SSTables.PATH, caches, SSTables.BEFORE_SLASH)) {
                file.cursor().seek(Bytes.utf8("a"));
            }
        });
    }

    private static void decoding(Decoding decoding) {
        try {
            decoding.run();
        } catch (CorruptionException | UnavailableException expected) {
            // The only answers beside a value: damage, and what a later program may have made.
        } catch (BigtableException e) {
            throw new AssertionError("damage is CORRUPTION", e);
        }
    }

    private static SSTableProperties properties() {
        return SSTables.seed()
                .setFeatures(List.of())
                .setSmallestKey(AvroBytes.buffer(Bytes.EMPTY))
                .setLargestKey(AvroBytes.buffer(Bytes.EMPTY))
                .setEntries(0)
                .setKeyBytes(0)
                .setValueBytes(0)
                .setCodec("none")
                .setBlockBytes(1)
                .setFamilies(List.of())
                .setFamilyIds(List.of())
                .setCreator("")
                .build();
    }

    private static void append(FileWriter file, Output bytes) throws BigtableException {
        file.append(bytes.array(), 0, bytes.size());
    }

    private interface IndexBlock {
        /** The block to write, a leaf or a root, where a sound one has the content {@code sound}. */
        Output of(boolean leaf, Output sound);
    }

    private interface Decoding {
        void run() throws BigtableException;
    }
}
