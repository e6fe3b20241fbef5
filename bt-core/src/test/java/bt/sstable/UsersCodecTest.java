package bt.sstable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Output;
import bt.base.UnavailableException;
import bt.fs.FileStore;
import bt.record.SSTableProperties;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class UsersCodecTest {
    private static final String NAME = "run-length";

    @Test
    void isFoundByItsName() {
        assertThat(Codecs.names()).contains(NAME);
    }

    @Test
    void writesAndReadsFiles() throws BigtableException {
        SortedMap<Bytes, Bytes> cells = new TreeMap<>();
        for (int i = 0; i < 100; i++) {
            cells.put(Bytes.utf8(String.format("row%02d", i)), Bytes.wrap(new byte[1000 + i]));
        }
        FileStore store = SSTables.store();
        SSTableProperties written = SSTables.write(store, SSTables.options(4096, NAME), cells, new TreeMap<>());
        assertThat(written.getCodec()).isEqualTo(NAME);
        assertThat(SSTables.bytes(store)).hasSizeLessThan(10_000);
        try (SSTable file = SSTable.open(store, SSTables.PATH, BlockCache.ofBytes(0))) {
            assertThat(SSTables.all(file.cursor())).isEqualTo(SSTables.entries(cells));
        }
    }

    @Test
    void aFileOfACodecThatIsNotHereIsRefusedInOneLine() throws BigtableException {
        FileStore store = SSTables.store();
        SSTableProperties properties =
                SSTables.write(store, SSTables.options(4096, NAME), new TreeMap<>(), new TreeMap<>());
        properties.setCodec("acme");
        Output payload = PropertiesCodec.encode(properties);
        assertThatThrownBy(
                        () -> PropertiesCodec.decode(SSTables.PATH, 7, new Payload(payload.array(), 0, payload.size())))
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining("data/7/1/3 block 7")
                .hasMessageContaining("its codec is \"acme\", which this program does not have");
    }
}
