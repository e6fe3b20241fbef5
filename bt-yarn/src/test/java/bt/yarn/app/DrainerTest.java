package bt.yarn.app;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.testing.SimScheduler;
import bt.yarn.spec.Held;
import bt.yarn.spec.Held.State;
import bt.yarn.spec.Role;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DrainerTest {
    private static final Held SURPLUS = new Held("container 4", Role.TABLET_SERVER, "host", State.RUNNING);

    private final SimScheduler scheduler = new SimScheduler(1);
    private final List<Long> givenBack = new ArrayList<>();

    private void drain(Drainer.Draining draining) {
        scheduler.run(Duration.ofMinutes(30), () -> {
            long begun = scheduler.clock().nanos();
            new Drainer(draining, scheduler)
                    .drain(SURPLUS, () -> givenBack.add((scheduler.clock().nanos() - begun) / 1_000_000));
            scheduler.pause(1_000_000);
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
        drain((container, left) -> pause(7_000));
        assertThat(givenBack).singleElement().satisfies(at -> assertThat(at).isBetween(7_000L, 7_100L));
    }

    /** Until another has started that takes its tablets, for instance. */
    @Test
    void aServerThatCannotBeDrainedNowIsDrainedWhenItCanBe() {
        AtomicInteger tries = new AtomicInteger();
        drain((container, left) -> {
            if (tries.incrementAndGet() < 5) {
                throw new RejectedException("no other server takes tablets", "wait");
            }
            left.accept(1);
            pause(5_000);
        });
        assertThat(tries).hasValue(5);
        assertThat(givenBack).singleElement().satisfies(at -> assertThat(at).isBetween(13_000L, 13_100L));
    }

    @Test
    void aServerThatCannotBeDrainedGoesWithItsTablets() {
        drain((container, left) -> {
            throw new UnavailableException("no master");
        });
        assertThat(givenBack).singleElement().satisfies(at -> assertThat(at)
                .isBetween(Drainer.STILL_MILLIS, Drainer.STILL_MILLIS + 1_100));
    }

    @Test
    void aServerGoesWithTheTabletsThatDoNotLeave() {
        drain((container, left) -> {
            left.accept(10);
            pause(20_000);
            left.accept(9);
            pause(200_000);
        });
        assertThat(givenBack).singleElement().satisfies(at -> assertThat(at)
                .isBetween(20_000 + Drainer.STILL_MILLIS, 21_100 + Drainer.STILL_MILLIS));
    }

    /** Two hundred tablets and more. */
    @Test
    void aServerIsWaitedForAsLongAsTabletsLeave() {
        drain((container, left) -> {
            for (int tablets = 20; tablets > 0; tablets--) {
                left.accept(tablets);
                pause(20_000);
            }
        });
        assertThat(givenBack).singleElement().satisfies(at -> assertThat(at).isBetween(400_000L, 400_100L));
    }

    @Test
    void aDrainHasATimeToEnd() {
        drain((container, left) -> {
            for (int tablets = 100; tablets > 0; tablets--) {
                left.accept(tablets);
                pause(20_000);
            }
        });
        assertThat(givenBack).singleElement().satisfies(at -> assertThat(at)
                .isBetween(Drainer.MOST_MILLIS, Drainer.MOST_MILLIS + 1_100));
    }
}
