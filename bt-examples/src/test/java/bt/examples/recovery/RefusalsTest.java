package bt.examples.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RefusalsTest {
    private static Interval millis(long begin, long end) {
        return new Interval(begin * 1_000_000, end * 1_000_000);
    }

    @Test
    void refusalsOfTabletsThatOverlapAreOneTime() {
        List<List<Interval>> tablets = List.of(List.of(millis(0, 3_000)), List.of(millis(2_000, 5_000)), List.of());
        assertThat(Refusals.ofSome(tablets)).isEqualTo(5_000);
        assertThat(Refusals.ofOne(tablets)).isEqualTo(3_000);
    }

    @Test
    void aMomentInWhichAllAnswerPartsThem() {
        List<List<Interval>> tablets =
                List.of(List.of(millis(0, 1_000), millis(4_000, 6_500)), List.of(millis(1_001, 3_000)));
        assertThat(Refusals.ofSome(tablets)).isEqualTo(2_500);
    }

    @Test
    void oneThatLiesInAnotherAddsNothing() {
        List<List<Interval>> tablets =
                List.of(List.of(millis(0, 4_000)), List.of(millis(1_000, 2_000), millis(4_500, 5_000)));
        assertThat(Refusals.ofSome(tablets)).isEqualTo(4_000);
    }

    @Test
    void shortOperationsAreNoRefusalsAndTheLongestOfThemIsTold() {
        List<List<Interval>> tablets = List.of(List.of(millis(0, 60)), List.of(millis(50, 140)));
        assertThat(Refusals.ofSome(tablets)).isEqualTo(90);
        assertThat(Refusals.ofSome(List.of(List.of()))).isZero();
    }
}
