package bt.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.UnavailableException;
import bt.testing.SimScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RoomTest {
    private final SimScheduler scheduler = new SimScheduler(1);
    private final AtomicLong bytes = new AtomicLong(100);
    private final Room room = new Room(scheduler, 3, bytes::get, 120_000);
    private final List<String> seen = new ArrayList<>();

    /** Something that waits for room. */
    @FunctionalInterface
    private interface Visit {
        void run() throws BigtableException, InterruptedException;
    }

    private void run(Visit visit) {
        scheduler.run(Duration.ofMinutes(10), () -> visited(visit));
    }

    private static void visited(Visit visit) throws InterruptedException {
        try {
            visit.run();
        } catch (BigtableException failed) {
            throw new AssertionError(failed);
        }
    }

    private void start(String name, Visit visit) {
        scheduler.start(name, () -> {
            visited(visit);
            seen.add(name);
        });
    }

    @Test
    void whoWaitsForTheEmptyRoomDoesNotWaitForThoseThatCameLater() {
        run(() -> {
            Room.Place early = room.enter(1);
            start("flush", room::awaitEmpty);
            scheduler.pause(10);
            Room.Place late = room.enter(1);
            scheduler.pause(10);
            assertThat(seen).isEmpty();
            room.leave(List.of(early));
            scheduler.pause(10);
            assertThat(seen).containsExactly("flush");
            start("next flush", room::awaitEmpty);
            scheduler.pause(10);
            assertThat(seen).containsExactly("flush");
            room.leave(List.of(late));
            scheduler.pause(10);
            assertThat(seen).containsExactly("flush", "next flush");
        });
    }

    @Test
    void itIsFullByNumberAndByBytesAndTakesOneThatIsLargerThanItself() {
        run(() -> {
            Room.Place large = room.enter(1_000);
            start("small", () -> room.enter(60));
            scheduler.pause(10);
            assertThat(seen).isEmpty();
            room.leave(List.of(large));
            scheduler.pause(10);
            assertThat(seen).containsExactly("small");
            Room.Place second = room.enter(20);
            start("too many bytes", () -> room.enter(21));
            scheduler.pause(10);
            assertThat(seen).containsExactly("small");
            room.leave(List.of(second));
            scheduler.pause(10);
            assertThat(seen).containsExactly("small", "too many bytes");
            room.enter(19);
            start("too many", () -> room.enter(0));
            scheduler.pause(10);
            assertThat(seen).containsExactly("small", "too many bytes");
        });
    }

    @Test
    void oneThatIsLargerThanTheRoomComesBeforeThoseThatComeAfterIt() {
        run(() -> {
            Room.Place first = room.enter(60);
            List<Room.Place> large = new ArrayList<>();
            start("large", () -> large.add(room.enter(101)));
            scheduler.pause(10);
            start("small", () -> room.enter(1));
            scheduler.pause(10);
            assertThat(seen).isEmpty();
            room.leave(List.of(first));
            scheduler.pause(10);
            assertThat(seen).containsExactly("large");
            room.leave(large);
            scheduler.pause(10);
            assertThat(seen).containsExactly("large", "small");
        });
    }

    /** Small ones come all the time, and each leaves before the next. */
    @Test
    void oneOfManyBytesEntersThoughSmallOnesKeepComing() {
        run(() -> {
            Room.Place first = room.enter(60);
            List<Room.Place> large = new ArrayList<>();
            start("large", () -> large.add(room.enter(50)));
            scheduler.pause(10);
            start("small", () -> room.leave(List.of(room.enter(1))));
            scheduler.pause(10);
            assertThat(seen).isEmpty();
            room.leave(List.of(first));
            scheduler.pause(10);
            assertThat(seen).containsExactly("large", "small");
        });
    }

    /** Whatever leaves meanwhile. */
    @Test
    void whoWaitsForRoomWaitsForOneTimeAlone() {
        run(() -> {
            room.enter(90);
            Room.Place small = room.enter(1);
            start("small", () -> {
                for (int i = 0; i < 20; i++) {
                    scheduler.pause(8_000);
                    room.leave(List.of(small));
                }
            });
            scheduler.pause(10);
            long begin = scheduler.clock().nanos();
            assertThatThrownBy(() -> room.enter(11))
                    .isInstanceOfSatisfying(UnavailableException.class, late -> assertThat(late.outcome())
                            .isEqualTo(Outcome.NOT_APPLIED))
                    .hasMessageStartingWith(
                            "there was no room for a mutation of 11 bytes in 120000 ms: 1 with 90 bytes are on their way");
            assertThat(Duration.ofNanos(scheduler.clock().nanos() - begin)).isLessThan(Duration.ofSeconds(121));
            // Nobody waits behind who has given up.
            room.enter(1);
        });
    }

    @Test
    void aPlaceIsLeftOnce() {
        run(() -> {
            List<Room.Place> all = List.of(room.enter(40), room.enter(40));
            room.leave(all.subList(0, 1));
            room.leave(all);
            start("large", () -> room.enter(100));
            scheduler.pause(10);
            assertThat(seen).containsExactly("large");
            start("another", () -> room.enter(1));
            scheduler.pause(10);
            assertThat(seen).containsExactly("large");
        });
    }

    @Test
    void oneThatShrinksTakesNobodyBeforeThereIsRoomAgain() {
        run(() -> {
            Room.Place first = room.enter(60);
            Room.Place second = room.enter(30);
            bytes.set(50);
            start("small", () -> room.enter(1));
            scheduler.pause(10);
            assertThat(seen).isEmpty();
            room.leave(List.of(second));
            scheduler.pause(10);
            assertThat(seen).isEmpty();
            room.leave(List.of(first));
            scheduler.pause(10);
            assertThat(seen).containsExactly("small");
        });
    }

    @Test
    void whoeverIsLargerThanTheRoomSinceItShrankComesBeforeThoseThatComeAfterHim() {
        run(() -> {
            Room.Place first = room.enter(40);
            Room.Place second = room.enter(30);
            List<Room.Place> large = new ArrayList<>();
            start("large", () -> large.add(room.enter(60)));
            scheduler.pause(10);
            bytes.set(50);
            room.leave(List.of(first));
            scheduler.pause(10);
            start("small", () -> room.enter(1));
            scheduler.pause(10);
            assertThat(seen).isEmpty();
            room.leave(List.of(second));
            scheduler.pause(10);
            assertThat(seen).containsExactly("large");
            room.leave(large);
            scheduler.pause(10);
            assertThat(seen).containsExactly("large", "small");
        });
    }

    @Test
    void oneThatGrowsTakesMore() {
        run(() -> {
            room.enter(60);
            Room.Place second = room.enter(30);
            start("third", () -> room.enter(90));
            scheduler.pause(10);
            assertThat(seen).isEmpty();
            bytes.set(150);
            room.leave(List.of(second));
            scheduler.pause(10);
            assertThat(seen).containsExactly("third");
        });
    }
}
