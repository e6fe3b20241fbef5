package bt.examples.paper;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class RowsTest {
    @Test
    void keysLieInTheOrderOfTheirNumbers() {
        assertThat(Rows.key(9)).isLessThan(Rows.key(10));
        assertThat(Rows.key(1_234_567_890)).isEqualTo(Bytes.utf8("1234567890"));
    }

    @Test
    void aValueIsKnownForThatOfItsRow() {
        Bytes value = Rows.value(77, new SplittableRandom(1));
        assertThat(value.length()).isEqualTo(Rows.VALUE_BYTES);
        assertThat(Rows.isOf(77, value)).isTrue();
        assertThat(Rows.isOf(78, value)).isFalse();
        assertThat(Rows.isOf(77, value.slice(0, 10))).isFalse();
    }

    @Test
    void hashesSpreadOverAllRows() {
        Set<Long> met = new HashSet<>();
        for (long number = 0; number < 1_000; number++) {
            long row = Rows.hashed(number, 1_000);
            assertThat(row).isBetween(0L, 999L).isEqualTo(Rows.hashed(number, 1_000));
            met.add(row);
        }
        // As many as so many throws of a thousand-sided die show.
        assertThat(met).hasSizeBetween(580, 690);
    }
}
