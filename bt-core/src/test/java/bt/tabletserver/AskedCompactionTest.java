package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.CorruptionException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** Which compaction a tablet still has to do for somebody. */
class AskedCompactionTest {
    private static final long SECOND = 1_000_000_000L;

    private final Throwable damaged = new CompletionException(new CorruptionException("f at 8: damaged"));
    private final AskedCompaction asked = new AskedCompaction();

    private void want(long number) {
        assertThat(asked.begin(number, 0)).isTrue();
        asked.want(number);
        assertThat(asked.wanted(0)).hasValue(number);
    }

    @Test
    void itRestsLongerWithEachFailureAndANewOneDoesNot() {
        want(5);
        List<Long> rests = new ArrayList<>();
        long now = -SECOND;
        for (int i = 0; i < 8; i++) {
            long rest = asked.fail(5, damaged, now);
            assertThat(asked.wanted(now + rest - 1)).isEmpty();
            now += rest;
            assertThat(asked.wanted(now)).hasValue(5);
            rests.add(rest / SECOND);
        }
        assertThat(rests).containsExactly(10L, 20L, 40L, 80L, 160L, 320L, 600L, 600L);

        assertThat(asked.fail(5, damaged, now)).isPositive();
        assertThat(asked.failure()).hasValue("f at 8: damaged");
        asked.retain(OptionalLong.of(6));
        assertThat(asked.failure()).isEmpty();
        assertThat(asked.begin(6, now)).isTrue();
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
        assertThat(asked.begin(5, 0)).isTrue();
        asked.retain(OptionalLong.empty());
        asked.want(5);
        assertThat(asked.wanted(0)).isEmpty();
    }

    @Test
    void aFlushThatFailedBeginsAgainWhenItHasRested() {
        assertThat(asked.begin(5, 0)).isTrue();
        assertThat(asked.begin(5, 0)).isFalse();
        long rest = asked.fail(5, damaged, 0);
        asked.retain(OptionalLong.of(5));
        assertThat(asked.failure()).hasValue("f at 8: damaged");
        assertThat(asked.begin(5, rest - 1)).isFalse();
        assertThat(asked.begin(5, rest)).isTrue();
        assertThat(asked.begin(5, rest)).isFalse();
        asked.end(5);
        assertThat(asked.failure()).isEmpty();
    }

    @Test
    void whatFailsAfterItWasTakenBackRestsNot() {
        want(5);
        asked.retain(OptionalLong.empty());
        assertThat(asked.fail(5, damaged, 0)).isZero();
        assertThat(asked.failure()).isEmpty();
    }

    @Test
    void whatIsDoneStaysDone() {
        want(5);
        asked.end(5);
        asked.retain(OptionalLong.empty());
        assertThat(asked.begin(4, 0)).isFalse();
        assertThat(asked.begin(5, 0)).isFalse();
        assertThat(asked.wanted(0)).isEmpty();
        assertThat(asked.done()).isEqualTo(5);
    }
}
