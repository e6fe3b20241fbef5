package bt.model;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.Bytes;
import org.junit.jupiter.api.Test;

class ConditionalMutationTest {
    @Test
    void twoRowsInOneAreNamedInBrief() {
        RowMutation first = RowMutation.of(Bytes.wrap(new byte[Limits.ROW_BYTES]))
                .deleteRow()
                .build();
        RowMutation second = RowMutation.of("other").deleteRow().build();
        assertThatThrownBy(() -> ConditionalMutation.when(Filter.ALL, first).otherwise(second))
                .isInstanceOf(IllegalArgumentException.class)
                .message()
                .contains("(65536 bytes) and other in one mutation: make both branches of one row")
                .hasSizeLessThan(700);
    }
}
