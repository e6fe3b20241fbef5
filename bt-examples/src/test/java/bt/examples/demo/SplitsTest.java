package bt.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import java.util.List;
import org.junit.jupiter.api.Test;

class SplitsTest {
    @Test
    void tabletsHaveEquallyManyRows() {
        assertThat(Splits.of(List.of("a", "b", "c", "d", "e", "f"), 3))
                .containsExactly(Bytes.utf8("b"), Bytes.utf8("d"));
    }

    @Test
    void oneTabletNeedsNoSplit() {
        assertThat(Splits.of(List.of("a", "b"), 1)).isEmpty();
    }
}
