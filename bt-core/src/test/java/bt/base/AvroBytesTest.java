package bt.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.record.FamilyCount;
import bt.record.SSTableProperties;
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
}
