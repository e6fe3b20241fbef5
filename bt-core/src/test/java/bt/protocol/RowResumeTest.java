package bt.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Input;
import bt.base.Output;
import bt.model.Limits;
import java.util.Collections;
import org.junit.jupiter.api.Test;

class RowResumeTest {
    private static final Bytes KEY = Bytes.utf8("key");

    private static RowResume sent(RowResume resume) throws CorruptionException {
        Output out = new Output();
        resume.encode(out);
        return RowResume.decode(Input.of("request", out.toBytes()));
    }

    private static RowResume of(int counts, int metBytes) {
        return new RowResume(KEY, 7, 8, Collections.nCopies(counts, 9), Bytes.wrap(new byte[metBytes]));
    }

    /** What is made of it in memory has many times its bytes. */
    @Test
    void whatNoServerSendsIsRefusedBeforeItIsTakenApart() throws CorruptionException {
        RowResume most = of(Limits.FILTER_PARTS, RowResume.MET_BYTES);
        assertThat(sent(most)).isEqualTo(most);
        assertThatThrownBy(() -> sent(of(Limits.FILTER_PARTS + 1, 0)))
                .isInstanceOf(CorruptionException.class)
                .hasMessageContaining("counts of the filter");
        assertThatThrownBy(() -> sent(of(0, RowResume.MET_BYTES + 1)))
                .isInstanceOf(CorruptionException.class)
                .hasMessageContaining("what was met");
    }
}
