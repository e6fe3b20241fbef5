package bt.sstable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Clock;
import bt.base.CorruptionException;
import bt.fs.FileReader;
import bt.fs.FileStore;
import bt.testing.FileOperation;
import bt.testing.MemoryFileStore;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files whose blocks share a dictionary. */
class DictionaryFileTest {
    private static final int PAGES = 600;
    private static final int BLOCK_BYTES = 4 << 10;

    private final SortedMap<Bytes, Bytes> pages = Texts.pages(new Random(3), PAGES);
    private FileStore store;
    private int reads;

    @BeforeEach
    void makeStore() throws BigtableException {
        store = new MemoryFileStore(Clock.system(), (process, operation, path) -> {
                    reads += operation == FileOperation.READ ? 1 : 0;
                })
                .process("test");
        store.makeDirectory("data/7/1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"zstd-dict", "two-pass"})
    void comesBackAsItWasAndIsSmallerThanWithoutADictionary(String codec) throws BigtableException {
        int without = write("zstd", pages);
        store.delete(SSTables.PATH);
        int with = write(codec, pages);
        assertThat(with).isLessThan(without - without / 8);
        try (SSTable file = open()) {
            assertThat(SSTables.all(file.cursor())).isEqualTo(SSTables.entries(pages));
            assertThat(file.properties().getCodec()).isEqualTo(codec);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"zstd-dict", "two-pass"})
    void opensWithTwoReadsAndFindsWithOne(String codec) throws BigtableException {
        write(codec, pages);
        reads = 0;
        try (SSTable file = open()) {
            assertThat(reads).isLessThanOrEqualTo(2);
            for (Bytes key : pages.keySet()) {
                reads = 0;
                Cursor cursor = file.cursor();
                assertThat(cursor.seek(key)).isTrue();
                assertThat(cursor.key().toBytes()).isEqualTo(key);
                assertThat(reads).isLessThanOrEqualTo(1);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"zstd-dict", "two-pass"})
    void everyFlippedBitOfTheDictionaryIsCorruption(String codec) throws BigtableException {
        write(codec, pages);
        byte[] whole = SSTables.bytes(store);
        BlockHandle dictionary = dictionary();
        Random random = new Random(5);
        for (int i = 0; i < 100; i++) {
            byte[] damaged = whole.clone();
            int at = (int) (dictionary.offset() + random.nextInt((int) dictionary.size()));
            damaged[at] ^= (byte) (1 << random.nextInt(8));
            SSTables.replace(store, damaged);
            try (SSTable file = open()) {
                assertThatThrownBy(() -> SSTables.all(file.cursor()))
                        .isInstanceOf(CorruptionException.class)
                        .hasMessageContaining(SSTables.PATH + " at " + dictionary.offset());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"zstd-dict", "two-pass"})
    void theDictionaryOfAnOpenFileIsCountedOrInTheCache(String codec) throws BigtableException {
        write(codec, pages);
        BlockCache wide = BlockCache.ofBytes(0);
        BlockCache narrow = BlockCache.ofBytes(8 << 20, 0);
        try (SSTable kept = SSTable.open(store, SSTables.PATH, wide);
                SSTable beyond = SSTable.open(store, SSTables.PATH, narrow)) {
            long before = kept.memoryBytes();
            assertThat(SSTables.all(kept.cursor())).isEqualTo(SSTables.entries(pages));
            assertThat(kept.memoryBytes()).isEqualTo(wide.openBytes()).isGreaterThan(before + 1000);
            long roots = beyond.memoryBytes();
            assertThat(SSTables.all(beyond.cursor())).isEqualTo(SSTables.entries(pages));
            assertThat(beyond.memoryBytes()).isEqualTo(narrow.openBytes()).isEqualTo(roots);
        }
        assertThat(wide.openBytes()).isZero();
        assertThat(narrow.openBytes()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"zstd-dict", "two-pass"})
    void aSmallFileIsReadToo(String codec) throws BigtableException {
        SortedMap<Bytes, Bytes> few = new TreeMap<>();
        few.put(Bytes.utf8("a"), Bytes.utf8("text, text, text, text, text, text, text, text"));
        write(codec, few);
        try (SSTable file = open()) {
            assertThat(SSTables.all(file.cursor())).isEqualTo(SSTables.entries(few));
        }
    }

    private int write(String codec, SortedMap<Bytes, Bytes> cells) throws BigtableException {
        SSTables.write(store, SSTables.options(BLOCK_BYTES, codec), cells, new TreeMap<>());
        return SSTables.bytes(store).length;
    }

    private SSTable open() throws BigtableException {
        return SSTable.open(store, SSTables.PATH, BlockCache.ofBytes(0));
    }

    private BlockHandle dictionary() throws BigtableException {
        try (FileReader file = store.open(SSTables.PATH)) {
            BlockFile blocks = BlockFile.open(file, BlockCache.ofBytes(0), Tail.MAX_BYTES);
            return blocks.sections().need(SSTables.PATH, Sections.DICTIONARY);
        }
    }
}
