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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
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
            assertThat(take(PaceWindow.MOST_WRITES - 1).writes()).isEqualTo(PaceWindow.MOST_WRITES - 1);
            assertThat(pace.take(SERVER, 7))
                    .as("what costs as much as all seven")
                    .isEmpty();
            assertThat(take(1).writes()).isEqualTo(1);
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
            for (int expected = 100; expected < 150; expected += PaceWindow.STEP) {
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
    void whoWaitsIsGrantedRoomWhenARequestEndsAndToldWhenTheTimeIsOver() {
        run(() -> {
            Grant all = take(PaceWindow.MOST_WRITES);
            scheduler.after(50, () -> pace.end(all, all.writes(), NO_PUSH_BACK));
            long began = scheduler.clock().nanos();
            Grant awaited = await(7, 10_000).orElseThrow();
            assertThat(awaited.writes()).isEqualTo(7);
            assertThat(Duration.ofNanos(scheduler.clock().nanos() - began)).isLessThan(Duration.ofSeconds(1));

            pace.end(awaited, 0, LATER);
            assertThat(await(1, 100)).isEmpty();
            Grant later = await(1, 10_000).orElseThrow();
            assertThat(pace.take(SERVER, 3)).isPresent();

            pace.end(later, 0, LATER);
            assertThat(await(1, 100)).isEmpty();
        });
    }

    /** Dozens of threads wait where servers are slower than those who write: each end would wake all of them for the one that can go on. */
    @Test
    void whenARequestEndsThoseGoOnWhoHaveWaitedLongestAndTheOthersSleep() {
        run(() -> {
            Deque<Grant> underWay = new ArrayDeque<>();
            for (int i = 0; i < 4; i++) {
                underWay.add(take(1_000));
            }
            List<Integer> granted = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                int number = i;
                scheduler.start("waits " + i, () -> {
                    underWay.add(await(900, 60_000).orElseThrow());
                    granted.add(number);
                });
                scheduler.pause(1);
            }
            pace.end(underWay.remove(), 1_000, NO_PUSH_BACK);
            scheduler.pause(10);
            assertThat(granted).containsExactly(0);
            assertThat(pace.take(SERVER, 10))
                    .as("what is left is for who waits")
                    .isEmpty();
            while (!underWay.isEmpty()) {
                Grant next = underWay.remove();
                pace.end(next, next.writes(), NO_PUSH_BACK);
                scheduler.pause(10);
            }
            assertThat(granted).containsExactly(0, 1, 2, 3, 4, 5);
        });
    }

    @Test
    void aPushBackIsWaitedForByAllWhoWaitAlreadyAndThenTheFirstGoesOn() {
        run(() -> {
            Grant all = take(PaceWindow.MOST_WRITES);
            List<Integer> granted = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                int number = i;
                scheduler.start("waits " + i, () -> {
                    Grant grant = await(2_000, 60_000).orElseThrow();
                    granted.add(number);
                    scheduler.pause(100);
                    pace.end(grant, grant.writes(), NO_PUSH_BACK);
                });
                scheduler.pause(1);
            }
            pace.end(all, 0, LATER);
            scheduler.pause(495);
            assertThat(granted).isEmpty();
            scheduler.pause(10);
            assertThat(granted).containsExactly(0);
            scheduler.pause(1_000);
            assertThat(granted).containsExactly(0, 1, 2);
        });
    }

    @Test
    void whoGivesUpWaitingKeepsNobodyBehindIt() {
        run(() -> {
            Grant all = take(PaceWindow.MOST_WRITES);
            List<Integer> granted = new ArrayList<>();
            Scheduler.Worker first = scheduler.start("first", () -> {
                Grant unused = await(PaceWindow.MOST_WRITES, 60_000).orElseThrow();
                granted.add(0);
            });
            scheduler.pause(1);
            scheduler.start("second", () -> {
                Grant unused = await(PaceWindow.MOST_WRITES, 60_000).orElseThrow();
                granted.add(1);
            });
            scheduler.pause(1);
            // It is interrupted with its grant on the way.
            pace.end(all, all.writes(), NO_PUSH_BACK);
            first.interrupt();
            scheduler.pause(10);
            assertThat(granted).containsExactly(1);
        });
    }

    private Optional<Grant> await(int wanted, long millis) throws InterruptedException {
        try {
            return Optional.of(pace.await(SERVER, wanted, Deadline.after(scheduler.clock(), millis)));
        } catch (OverloadedException over) {
            assertThat(over).hasMessageContaining("takes no more writes");
            return Optional.empty();
        }
    }
}
