package bt.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import bt.testing.ManualClock;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SeldomTest {
    private static final long MINUTE_MICROS = TimeUnit.MINUTES.toMicros(1);

    private final ManualClock clock = new ManualClock(0);
    private final Seldom seldom = new Seldom(clock, 2);

    @Test
    void soManyAMinuteAreSaidAndThenHowManyWereNot() {
        assertThat(seldom.remark()).contains("");
        assertThat(seldom.remark()).contains("");
        clock.set(MINUTE_MICROS - 1);
        assertThat(seldom.remark()).isEmpty();
        assertThat(seldom.remark()).isEmpty();
        clock.set(MINUTE_MICROS);
        assertThat(seldom.remark()).contains(" (2 more before it were not written)");
        assertThat(seldom.remark()).contains("");
        assertThat(seldom.remark()).isEmpty();
    }

    @Test
    void neverIsNotSeldom() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Seldom(clock, 0));
    }
}
