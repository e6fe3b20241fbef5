package bt.client;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Deadline;
import bt.base.OverloadedException;
import bt.base.Scheduler;
import bt.client.Pace.Grant;
import bt.client.Pace.PushBack;
import bt.model.TabletId;
import bt.protocol.Address;
import bt.testing.SimScheduler;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AdaptivePaceTest {
    private static final Address SERVER = new Address("server", 1);
    private static final TabletId ONE = new TabletId(1, Optional.empty());
    private static final TabletId OTHER = new TabletId(2, Optional.empty());
    private static final Optional<PushBack> NO_PUSH_BACK = Optional.empty();
    private static final Optional<PushBack> LATER = pushBack(false, ONE);

    private static Optional<PushBack> pushBack(boolean othersTaken, TabletId... tablets) {
        return Optional.of(new PushBack(new OverloadedException("full", 500), Set.of(tablets), othersTaken));
    }

    private final SimScheduler scheduler = new SimScheduler(1);
    private final AdaptivePace pace = new AdaptivePace(scheduler);

    private void run(Scheduler.Task task) {
        scheduler.run(Duration.ofMinutes(10), task);
    }

    private Grant take(int wanted) {
        return pace.take(SERVER, wanted).orElseThrow();
    }

    @Test
    void whoIsNeverPushedBackSendsAll() {
        run(() -> {
            assertThat(take(AdaptivePace.MOST_WRITES - 1).writes()).isEqualTo(AdaptivePace.MOST_WRITES - 1);
            assertThat(take(7).writes()).isEqualTo(1);
            assertThat(pace.take(SERVER, 1)).isEmpty();
            assertThat(pace.take(new Address("other", 1), 5)).isPresent();
        });
    }

    @Test
    void afterAPushBackNothingGoesBeforeTheTimeSaidAndThenHalf() {
        run(() -> {
            Grant first = take(300);
            Grant second = take(100);
            pace.end(first, 0, LATER);
            // Sent before that was known: it says nothing new.
            pace.end(second, 0, LATER);
            assertThat(pace.take(SERVER, 1)).isEmpty();
            scheduler.pause(499);
            assertThat(pace.take(SERVER, 1)).isEmpty();
            scheduler.pause(2);
            assertThat(take(1_000).writes()).isEqualTo(200);
        });
    }

    /** With too many files, as while they are merged. */
    @Test
    void aTabletThatAloneRefusesSlowsNoOther() {
        run(() -> {
            pace.end(take(300), 200, pushBack(true, ONE));
            // Now its writes come alone, and are refused again.
            pace.end(take(100), 0, pushBack(false, ONE));
            Grant next = take(1_000);
            assertThat(next.writes()).isEqualTo(1_000);
            pace.end(next, 0, pushBack(true, ONE, OTHER));
            assertThat(pace.take(SERVER, 1)).isEmpty();
        });
    }

    @Test
    void whatATakingServerIsSentGrowsByAStepEachTimeAllOfItWasTaken() {
        run(() -> {
            pace.end(take(200), 0, LATER);
            scheduler.pause(501);
            for (int expected = 100; expected < 150; expected += AdaptivePace.STEP) {
                Grant all = take(1_000);
                assertThat(all.writes()).isEqualTo(expected);
                pace.end(all, all.writes(), NO_PUSH_BACK);
            }
        });
    }

    @Test
    void oneWriteGoesHoweverOftenItWasPushedBack() {
        run(() -> {
            for (int i = 0; i < 20; i++) {
                pace.end(take(1_000), 0, LATER);
                scheduler.pause(501);
            }
            assertThat(take(1_000).writes()).isEqualTo(1);
        });
    }

    @Test
    void whoWaitsIsWokenWhenARequestEndsAndToldWhenTheTimeIsOver() {
        run(() -> {
            Grant all = take(AdaptivePace.MOST_WRITES);
            scheduler.after(50, () -> pace.end(all, all.writes(), NO_PUSH_BACK));
            long began = scheduler.clock().nanos();
            assertThat(awaits(10_000)).isTrue();
            assertThat(Duration.ofNanos(scheduler.clock().nanos() - began)).isLessThan(Duration.ofSeconds(1));

            pace.end(take(10), 0, LATER);
            assertThat(awaits(10_000)).isTrue();
            assertThat(pace.take(SERVER, 1)).isPresent();

            pace.end(take(1), 0, LATER);
            assertThat(awaits(100)).isFalse();
        });
    }

    private boolean awaits(long millis) throws InterruptedException {
        try {
            pace.await(SERVER, Deadline.after(scheduler.clock(), millis));
            return true;
        } catch (OverloadedException over) {
            assertThat(over).hasMessageContaining("takes no more writes");
            return false;
        }
    }
}
