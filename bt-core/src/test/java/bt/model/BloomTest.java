package bt.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class BloomTest {
    @Test
    void theTextSaysWhatDiffersFromTheDefault() {
        assertThat(Bloom.NONE).hasToString("none");
        assertThat(Bloom.ROW).hasToString("row");
        assertThat(new Bloom(12, false)).hasToString("row:12");
        assertThat(Bloom.ROW_AND_COLUMN).hasToString("row+column");
        assertThat(new Bloom(16, true)).hasToString("row+column:16");
    }

    @Test
    void bitsThatAreNoneOrTooManyAreRefused() {
        assertThatThrownBy(() -> new Bloom(33, false)).hasMessage("33 Bloom bits a key: give 0 to 32");
        assertThatThrownBy(() -> new Bloom(-1, false)).hasMessage("-1 Bloom bits a key: give 0 to 32");
        assertThatThrownBy(() -> new Bloom(0, true))
                .hasMessage(
                        "Bloom filters by column have at least 1 bit a key: give them one, or leave the columns out");
    }
}
