package bt.client;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
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
            start("too many bytes", () -> room.enter(41));
            scheduler.pause(10);
            assertThat(seen).containsExactly("small");
            room.enter(20);
            room.enter(20);
            start("too many", () -> room.enter(0));
            scheduler.pause(10);
            assertThat(seen).containsExactly("small");
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
