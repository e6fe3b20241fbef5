package bt.sstable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.fs.FileReader;
import bt.fs.FileStore;
import bt.record.SSTableProperties;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SSTableWriterTest {
    private static final Bytes A = Bytes.utf8("a");
    private static final Bytes B = Bytes.utf8("b");
    private static final Bytes C = Bytes.utf8("c");

    @Test
    void aFileWithoutEntriesHoldsNothing() throws BigtableException {
        FileStore store = SSTables.store();
        SSTables.write(store, SSTables.options(1024, "lz4"), new TreeMap<>(), new TreeMap<>());
        try (SSTable file = SSTable.open(store, SSTables.PATH, BlockCache.ofBytes(0))) {
            assertThat(file.cursor().next()).isFalse();
            assertThat(file.cursor().seek(Bytes.EMPTY)).isFalse();
            assertThat(file.deletions().next()).isFalse();
            assertThat(file.mayContain(SSTables.rowHash(A))).isFalse();
        }
    }

    @Test
    void thePropertiesCoverCellsAndDeletions() throws BigtableException {
        FileStore store = SSTables.store();
        SSTableWriter writer = writer(store);
        writer.addDeletion(A, Bytes.EMPTY);
        writer.add(B, C);
        SSTableProperties written = writer.finish(SSTables.seed().setSchemaVersion(4));
        try (SSTable file = SSTable.open(store, SSTables.PATH, BlockCache.ofBytes(0))) {
            SSTableProperties read = file.readProperties();
            assertThat(read).isEqualTo(written);
            assertThat(AvroBytes.bytes(read.getSmallestKey())).isEqualTo(A);
            assertThat(AvroBytes.bytes(read.getLargestKey())).isEqualTo(B);
            assertThat(read.getEntries()).isEqualTo(2);
            assertThat(read.getKeyBytes()).isEqualTo(2);
            assertThat(read.getValueBytes()).isEqualTo(1);
            assertThat(read.getLargestSequence()).isEqualTo(9);
            assertThat(read.getSchemaVersion()).isEqualTo(4);
        }
    }

    @Test
    void theFilterAnswersForDeletionsToo() throws BigtableException {
        FileStore store = SSTables.store();
        SSTableWriter writer = writer(store);
        writer.addDeletion(A, Bytes.EMPTY);
        writer.finish(SSTables.seed());
        try (SSTable file = SSTable.open(store, SSTables.PATH, BlockCache.ofBytes(0))) {
            assertThat(file.mayContain(SSTables.rowHash(A))).isTrue();
            assertThat(file.mayContain(SSTables.rowHash(C))).isFalse();
            assertThat(file.mayDelete(SSTables.rowHash(A))).isTrue();
            assertThat(file.mayDelete(SSTables.rowHash(C))).isFalse();
            assertThat(file.mayContainColumn(FilterHash.of(A))).isFalse();
        }
    }

    @Test
    void theFilterOfDeletionsDoesNotPassTheRowsOfCells() throws BigtableException {
        FileStore store = SSTables.store();
        SSTableWriter writer = writer(store);
        writer.addDeletion(A, Bytes.EMPTY);
        writer.add(B, Bytes.EMPTY);
        writer.finish(SSTables.seed());
        try (SSTable file = SSTable.open(store, SSTables.PATH, BlockCache.ofBytes(0))) {
            assertThat(file.mayContain(SSTables.rowHash(B))).isTrue();
            assertThat(file.mayContainColumn(FilterHash.of(B))).isTrue();
            assertThat(file.mayDelete(SSTables.rowHash(B))).isFalse();
        }
    }

    @Test
    void aFileWithoutDeletionsDeletesNothing() throws BigtableException {
        FileStore store = SSTables.store();
        SSTableWriter writer =
                SSTableWriter.create(store, SSTables.PATH, new SSTableOptions(1024, "none", 0, SSTables.BEFORE_SLASH));
        writer.add(B, Bytes.EMPTY);
        writer.finish(SSTables.seed());
        try (SSTable file = SSTable.open(store, SSTables.PATH, BlockCache.ofBytes(0))) {
            assertThat(file.mayDelete(SSTables.rowHash(B))).isFalse();
        }
    }

    @Test
    void withoutAFilterEveryKeyMayBeThere() throws BigtableException {
        FileStore store = SSTables.store();
        SSTableOptions options = new SSTableOptions(1024, "none", 0, SSTables.BEFORE_SLASH);
        SSTables.write(store, options, new TreeMap<>(), new TreeMap<>());
        try (SSTable file = SSTable.open(store, SSTables.PATH, BlockCache.ofBytes(0))) {
            assertThat(file.mayContain(SSTables.rowHash(A))).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({"none,true", "lz4,true", "lz4,false", "zstd,true", "zstd,false", "two-pass,true", "two-pass,false"})
    void aValueOf64MebibytesComesBack(String codec, boolean random) throws BigtableException {
        byte[] large = new byte[64 << 20];
        if (random) {
            new Random(1).nextBytes(large);
        }
        FileStore store = SSTables.store();
        SSTableWriter writer = SSTableWriter.create(store, SSTables.PATH, SSTables.options(64 << 10, codec));
        writer.add(A, A);
        writer.add(B, Bytes.wrap(large));
        writer.add(C, C);
        writer.finish(SSTables.seed());
        try (SSTable file = SSTable.open(store, SSTables.PATH, BlockCache.ofBytes(0))) {
            Cursor cursor = file.cursor();
            assertThat(cursor.seek(B)).isTrue();
            assertThat(cursor.value().toBytes().equals(Bytes.wrap(large))).isTrue();
            assertThat(cursor.next()).isTrue();
            assertThat(cursor.key().toBytes()).isEqualTo(C);
        }
    }

    @Test
    void aKeyThatDoesNotAscendIsRefused() throws BigtableException {
        SSTableWriter writer = writer(SSTables.store());
        writer.add(B, B);
        assertThatThrownBy(() -> writer.add(B, C)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> writer.add(A, C))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("key a does not come after b");
    }

    @Test
    void aKeyOrValueBeyondItsBoundIsRefused() throws BigtableException {
        SSTableWriter writer = writer(SSTables.store());
        Bytes longKey = Bytes.wrap(new byte[SSTableWriter.MAX_KEY_BYTES + 1]);
        Bytes largeValue = Bytes.wrap(new byte[SSTableWriter.MAX_VALUE_BYTES + 1]);
        assertThatThrownBy(() -> writer.add(longKey, A)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> writer.add(A, largeValue)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aPathThatExistsIsRejected() throws BigtableException {
        FileStore store = SSTables.store();
        writer(store).finish(SSTables.seed());
        assertThatThrownBy(() -> writer(store)).isInstanceOf(RejectedException.class);
    }

    @Test
    void anAbandonedFileTakesNothingMore() throws BigtableException {
        SSTableWriter writer = writer(SSTables.store());
        writer.abandon();
        writer.abandon();
        assertThatThrownBy(() -> writer.add(A, A)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> writer.finish(SSTables.seed())).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void theSizeSoFarIsAboutTheSizeInTheEnd() throws BigtableException {
        FileStore store = SSTables.store();
        SSTableWriter writer =
                SSTableWriter.create(store, SSTables.PATH, new SSTableOptions(1024, "none", 0, SSTables.BEFORE_SLASH));
        for (int i = 0; i < 1000; i++) {
            writer.add(Bytes.utf8(String.format("row%04d", i)), Bytes.wrap(new byte[100]));
        }
        long expected = writer.bytes();
        writer.finish(SSTables.seed());
        assertThat((long) SSTables.bytes(store).length).isBetween(expected, expected + 1024);
    }

    @Test
    void dataBytesAreThoseOfDataBlocksAndTheirDictionary() throws BigtableException {
        FileStore store = SSTables.store();
        SSTableWriter writer = SSTableWriter.create(store, SSTables.PATH, SSTables.options(1024, "two-pass"));
        writer.add(A, Bytes.wrap(new byte[100]));
        assertThatThrownBy(writer::dataBytes).isInstanceOf(IllegalStateException.class);
        writer.finish(SSTables.seed());
        try (SSTable file = SSTable.open(store, SSTables.PATH, BlockCache.ofBytes(0));
                FileReader reader = store.open(SSTables.PATH)) {
            assertThat(SSTables.all(file.cursor())).hasSize(1);
            Sections sections = BlockFile.open(reader, BlockCache.ofBytes(0), Tail.MAX_BYTES)
                    .sections();
            // After the header the one data block, after it the leaf of its index, which is as large as its root.
            BlockHandle root = sections.need(SSTables.PATH, Sections.CELLS);
            BlockHandle dictionary = sections.need(SSTables.PATH, Sections.DICTIONARY);
            assertThat(writer.dataBytes())
                    .isEqualTo(root.offset() - root.size() - Footer.HEADER_BYTES + dictionary.size());
        }
    }

    @Test
    void anUnknownCodecIsRefused() {
        assertThatThrownBy(() -> SSTables.options(1024, "lzma")).isInstanceOf(IllegalArgumentException.class);
    }

    private static SSTableWriter writer(FileStore store) throws BigtableException {
        return SSTableWriter.create(store, SSTables.PATH, SSTables.options(1024, "none"));
    }
}
