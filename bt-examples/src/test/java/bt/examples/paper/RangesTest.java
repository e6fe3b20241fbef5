package bt.examples.paper;

import static org.assertj.core.api.Assertions.assertThat;

import bt.examples.paper.Ranges.Range;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RangesTest {
    @Test
    void tenForEachClientTileTheRowsInOrder() {
        List<Range> given = all(new Ranges(5, 1_003, 2, 1));
        assertThat(given).hasSize(20);
        long at = 5;
        for (Range range : given) {
            assertThat(range.from()).isEqualTo(at);
            at = range.to();
        }
        assertThat(at).isEqualTo(1_008);
    }

    @Test
    void severalPassesGiveTheSameRangesAgain() {
        List<Range> given = all(new Ranges(0, 100, 1, 2));
        assertThat(given.subList(0, 10)).isEqualTo(given.subList(10, 20));
    }

    @Test
    void fewRowsAreFewRanges() {
        assertThat(all(new Ranges(0, 3, 1, 1))).containsExactly(new Range(0, 1), new Range(1, 2), new Range(2, 3));
    }

    private static List<Range> all(Ranges ranges) {
        List<Range> given = new ArrayList<>();
        for (Optional<Range> next = ranges.next(); next.isPresent(); next = ranges.next()) {
            given.add(next.get());
        }
        return given;
    }
}
