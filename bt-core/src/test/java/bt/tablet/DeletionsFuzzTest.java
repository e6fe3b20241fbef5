package bt.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Output;
import bt.base.Slice;
import com.code_intelligence.jazzer.junit.FuzzTest;

/** Behind the checksums of an SSTable: any value of a deletion of versions is a timestamp, or CORRUPTION. */
class DeletionsFuzzTest {
    private static final Slice KEY = Slice.of(Bytes.utf8("key"));

    @FuzzTest
    void anyBytesAsTheOldestHidden(byte[] bytes) {
        long oldest;
        try {
            oldest = Deletions.oldestHidden(KEY, Slice.of(Bytes.wrap(bytes)));
        } catch (CorruptionException damaged) {
            return;
        }
        assertThat(new Output().bigU64(oldest).toArray()).isEqualTo(bytes);
    }
}
