package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;

import bt.testing.SimScheduler;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ThrottleTest {
    private final SimScheduler scheduler = new SimScheduler(1);
    private final Throttle throttle = new Throttle(scheduler, 1_000_000);

    @Test
    void allWhoShareItGoNoFasterTogether() {
        scheduler.run(Duration.ofMinutes(1), () -> {
            long begun = scheduler.clock().nanos();
            var other = scheduler.start("other", () -> spend(20));
            spend(20);
            other.join(60_000);
            assertThat(seconds(begun)).isBetween(3.9, 4.1);
        });
    }

    @Test
    void whatIsNotSpentIsNotSavedUp() {
        scheduler.run(Duration.ofMinutes(1), () -> {
            scheduler.pause(30_000);
            long begun = scheduler.clock().nanos();
            spend(20);
            assertThat(seconds(begun)).isBetween(1.9, 2.1);
        });
    }

    private void spend(int times) throws InterruptedException {
        for (int i = 0; i < times; i++) {
            throttle.spend(100_000);
        }
    }

    private double seconds(long begun) {
        return (scheduler.clock().nanos() - begun) / 1e9;
    }
}
