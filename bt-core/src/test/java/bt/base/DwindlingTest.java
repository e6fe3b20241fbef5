package bt.base;

import static org.assertj.core.api.Assertions.assertThat;

import bt.testing.ManualClock;
import org.junit.jupiter.api.Test;

/** None may go for ten seconds, and a minute is the most. */
class DwindlingTest {
    private final ManualClock clock = new ManualClock(0);
    private final Dwindling dwindling = new Dwindling(clock, 10_000, Deadline.after(clock, 60_000));

    private void at(long seconds) {
        clock.set(seconds * 1_000_000);
    }

    @Test
    void isOverWhenNoneHasGoneForAWhile() {
        at(5);
        dwindling.saw(100);
        at(14);
        dwindling.saw(99);
        at(23);
        assertThat(dwindling.isOver()).isFalse();
        assertThat(dwindling.deadline().leftMillis()).isEqualTo(1_000);
        at(24);
        assertThat(dwindling.isOver()).isTrue();
    }

    @Test
    void whatComesBackHasNotGone() {
        dwindling.saw(10);
        at(5);
        dwindling.saw(12);
        at(9);
        dwindling.saw(10);
        at(10);
        assertThat(dwindling.isOver()).isTrue();
    }

    @Test
    void whatHasGoneCountsHoweverManyHaveComeMeanwhile() {
        dwindling.saw(1);
        at(5);
        dwindling.saw(100);
        dwindling.someHasGone();
        at(14);
        assertThat(dwindling.isOver()).isFalse();
        at(15);
        assertThat(dwindling.isOver()).isTrue();
    }

    @Test
    void isOverInTheEndThoughSomeGo() {
        for (int second = 0; second < 60; second++) {
            at(second);
            dwindling.saw(1_000 - second);
            assertThat(dwindling.isOver()).as("after %d s", second).isFalse();
        }
        at(60);
        assertThat(dwindling.isOver()).isTrue();
    }
}
