package bt.yarn.app;

import static org.assertj.core.api.Assertions.assertThat;

import bt.testing.ManualClock;
import org.junit.jupiter.api.Test;

class BackoffTest {
    private final ManualClock clock = new ManualClock(0);

    @Test
    void afterALongLifeNothingRests() {
        long started = clock.nanos();
        clock.set(clock.micros() + (Backoff.SHORT_LIFE_MILLIS + 1) * 1_000);

        assertThat(Backoff.none(clock).died(started, clock).isResting(clock)).isFalse();
    }

    @Test
    void everyShortLifeDoublesTheRestUpToAMinute() {
        Backoff backoff = Backoff.none(clock);
        long last = 0;
        for (int i = 0; i < 20; i++) {
            backoff = backoff.died(clock.nanos(), clock);
            long rest = backoff.readyNanos() - clock.nanos();
            assertThat(rest).isGreaterThanOrEqualTo(last);
            last = rest;
        }
        assertThat(last).isBetween(60_000_000_000L, 70_000_000_000L);
    }

    @Test
    void aLongLifeForgetsTheShortOnes() {
        Backoff backoff = Backoff.none(clock).died(clock.nanos(), clock).died(clock.nanos(), clock);
        long started = clock.nanos();
        clock.set(clock.micros() + (Backoff.SHORT_LIFE_MILLIS + 1) * 1_000);
        backoff = backoff.died(started, clock);

        assertThat(backoff.shortLives()).isZero();
    }
}
