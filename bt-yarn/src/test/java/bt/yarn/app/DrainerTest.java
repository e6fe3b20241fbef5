package bt.yarn.app;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.UnavailableException;
import bt.testing.SimScheduler;
import bt.yarn.spec.Held;
import bt.yarn.spec.Held.State;
import bt.yarn.spec.Role;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DrainerTest {
    private static final Held SURPLUS = new Held("container 4", Role.TABLET_SERVER, "host", State.RUNNING);

    private final SimScheduler scheduler = new SimScheduler(1);
    private final List<Long> givenBack = new ArrayList<>();

    private void drain(Drainer.Draining draining) {
        scheduler.run(Duration.ofMinutes(10), () -> {
            long begun = scheduler.clock().nanos();
            new Drainer(draining, scheduler)
                    .drain(SURPLUS, () -> givenBack.add((scheduler.clock().nanos() - begun) / 1_000_000));
            scheduler.pause(300_000);
        });
    }

    private void pause(long millis) {
        try {
            scheduler.pause(millis);
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }

    @Test
    void aServerGoesWhenItHasNoTablet() {
        drain(container -> pause(7_000));
        assertThat(givenBack).singleElement().satisfies(at -> assertThat(at).isBetween(7_000L, 7_100L));
    }

    @Test
    void aServerThatCannotBeDrainedGoesAtOnce() {
        drain(container -> {
            throw new UnavailableException("no master");
        });
        assertThat(givenBack).singleElement().satisfies(at -> assertThat(at).isLessThan(100L));
    }

    @Test
    void aDrainHasATimeToEnd() {
        drain(container -> pause(200_000));
        assertThat(givenBack).singleElement().satisfies(at -> assertThat(at)
                .isBetween(Drainer.DRAIN_MILLIS, Drainer.DRAIN_MILLIS + 100));
    }
}
