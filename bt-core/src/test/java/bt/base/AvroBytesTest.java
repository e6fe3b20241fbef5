package bt.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.record.FamilyCount;
import bt.record.SSTableProperties;
import bt.record.TabletState;
import java.util.List;
import org.junit.jupiter.api.Test;

class AvroBytesTest {
    private static final SSTableProperties RECORD = SSTableProperties.newBuilder()
            .setFeatures(List.of("one"))
            .setSmallestKey(AvroBytes.buffer(Bytes.utf8("a")))
            .setLargestKey(AvroBytes.buffer(Bytes.EMPTY))
            .setEntries(3)
            .setKeyBytes(-1)
            .setValueBytes(Long.MAX_VALUE)
            .setCodec("lz4")
            .setBlockBytes(64)
            .setFamilies(List.of(new FamilyCount(1, 2L, 3L)))
            .setFamilyIds(List.of(1, 2))
            .setCreator("bt")
            .build();

    @Test
    void aRecordComesBackAsItWas() throws CorruptionException {
        SSTableProperties read = AvroBytes.decode("file", AvroBytes.encode(RECORD), SSTableProperties.class);
        assertThat(read).isEqualTo(RECORD);
        assertThat(AvroBytes.bytes(read.getSmallestKey())).isEqualTo(Bytes.utf8("a"));
    }

    @Test
    void everyRecordThatWasCutOffIsCorruption() {
        Bytes whole = AvroBytes.encode(RECORD);
        for (int length = 0; length < whole.length(); length++) {
            Bytes cut = whole.slice(0, length);
            assertThatThrownBy(() -> AvroBytes.decode("file", cut, SSTableProperties.class))
                    .isInstanceOf(CorruptionException.class)
                    .hasMessageStartingWith("file");
        }
    }

    @Test
    void bytesAfterTheRecordAreCorruption() {
        Bytes longer = AvroBytes.encode(RECORD).successor();
        assertThatThrownBy(() -> AvroBytes.decode("file", longer, SSTableProperties.class))
                .isInstanceOf(CorruptionException.class);
    }

    @Test
    void fieldsThatANewerProgramAddedAreLeftAside() throws CorruptionException {
        Bytes newer = new Output()
                .raw(AvroBytes.encode(RECORD))
                .text("an added field")
                .toBytes();
        int fields = AvroBytes.fields(SSTableProperties.class) + 1;
        assertThat(AvroBytes.decode("file", newer, SSTableProperties.class, fields))
                .isEqualTo(RECORD);
    }

    @Test
    void fieldsThatAnOlderProgramDidNotKnowHaveTheirDefault() throws CorruptionException {
        TabletState state = TabletState.newBuilder()
                .setFiles(List.of())
                .setLogs(List.of(3L))
                .setIntents(List.of())
                .setBulkLoads(List.of())
                .build();
        Bytes whole = AvroBytes.encode(state);
        // The last field is a null, in one byte.
        Bytes older = whole.slice(0, whole.length() - 1);
        int fields = AvroBytes.fields(TabletState.class) - 1;
        assertThat(AvroBytes.decode("row", older, TabletState.class, fields)).isEqualTo(state);
    }

    @Test
    void aRecordWithoutFieldsThatItMustHaveIsCorruption() {
        assertThatThrownBy(() -> AvroBytes.decode("file", Bytes.EMPTY, SSTableProperties.class, 0))
                .isInstanceOf(CorruptionException.class);
    }
}
