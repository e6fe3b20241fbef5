package bt.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Slice;
import com.code_intelligence.jazzer.junit.FuzzTest;

/** Behind the checksums of an SSTable: any key and any value are an open write, or CORRUPTION. */
class OpenWritesFuzzTest {
    /** The first byte says how much of the rest is the key. */
    @FuzzTest
    void anyKeyAndValue(byte[] bytes) {
        int key = bytes.length == 0 ? 0 : Math.min(bytes[0] & 0xff, bytes.length - 1);
        int from = Math.min(1, bytes.length);
        Slice keySlice = Slice.of(Bytes.copyOf(bytes, from, key));
        Slice valueSlice = Slice.of(Bytes.copyOf(bytes, from + key, bytes.length - from - key));
        OpenWrite write;
        try {
            write = OpenWrites.decode("fuzz", keySlice, valueSlice);
        } catch (CorruptionException damaged) {
            return;
        }
        assertThat(OpenWrites.value(write)).isEqualTo(valueSlice.toBytes());
    }
}
