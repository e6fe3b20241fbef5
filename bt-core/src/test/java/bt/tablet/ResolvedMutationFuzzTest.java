package bt.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.base.CorruptionException;
import com.code_intelligence.jazzer.junit.FuzzTest;

/** Behind the checksums of the log: any body is a mutation, or CORRUPTION. */
class ResolvedMutationFuzzTest {
    private static final Bytes ROW = Bytes.utf8("row");
    private static final long SEQUENCE = 1_000;

    @FuzzTest
    void anyBytesAsABody(byte[] bytes) throws CorruptionException {
        ResolvedMutation mutation;
        try {
            mutation = ResolvedMutation.decodeBody(ROW, SEQUENCE, 1, Bytes.wrap(bytes));
        } catch (CorruptionException damaged) {
            return;
        }
        assertThat(mutation.lastSequence()).isBetween(SEQUENCE, SEQUENCE + bytes.length);
        assertThat(ResolvedMutation.decodeBody(ROW, SEQUENCE, 1, mutation.encodeBody()))
                .isEqualTo(mutation);
    }
}
