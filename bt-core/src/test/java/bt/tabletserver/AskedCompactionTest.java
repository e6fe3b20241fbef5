package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Which compaction a tablet still has to do for somebody. */
class AskedCompactionTest {
    private static final long SECOND = 1_000_000_000L;

    private final AskedCompaction asked = new AskedCompaction();

    private void want(long number) {
        assertThat(asked.begin(number)).isTrue();
        asked.want(number);
        assertThat(asked.wanted(0)).hasValue(number);
    }

    @Test
    void itRestsLongerWithEachFailureAndANewOneDoesNot() {
        want(5);
        List<Long> rests = new ArrayList<>();
        long now = -SECOND;
        for (int i = 0; i < 8; i++) {
            long rest = asked.fail(now);
            assertThat(asked.wanted(now + rest - 1)).isEmpty();
            now += rest;
            assertThat(asked.wanted(now)).hasValue(5);
            rests.add(rest / SECOND);
        }
        assertThat(rests).containsExactly(10L, 20L, 40L, 80L, 160L, 320L, 600L, 600L);

        asked.fail(now);
        asked.retain(OptionalLong.of(6));
        assertThat(asked.begin(6)).isTrue();
        asked.want(6);
        assertThat(asked.wanted(now)).hasValue(6);
    }

    @Test
    void whatIsNamedNoMoreIsForgottenAndMayBeNamedAgain() {
        want(5);
        asked.retain(OptionalLong.of(5));
        assertThat(asked.wanted(0)).hasValue(5);
        asked.retain(OptionalLong.empty());
        assertThat(asked.wanted(0)).isEmpty();
        want(5);
        asked.retain(OptionalLong.of(6));
        assertThat(asked.wanted(0)).isEmpty();
    }

    @Test
    void aFlushThatEndsAfterItWasTakenBackMakesNothingWanted() {
        assertThat(asked.begin(5)).isTrue();
        asked.retain(OptionalLong.empty());
        asked.want(5);
        assertThat(asked.wanted(0)).isEmpty();
    }

    @Test
    void whatIsDoneStaysDone() {
        want(5);
        asked.end(5);
        asked.retain(OptionalLong.empty());
        assertThat(asked.begin(4)).isFalse();
        assertThat(asked.begin(5)).isFalse();
        assertThat(asked.wanted(0)).isEmpty();
        assertThat(asked.done()).isEqualTo(5);
    }
}
