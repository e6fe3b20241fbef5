package bt.client;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.testing.SeededTest;
import bt.testing.SimScheduler;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class BatchSharesTest {
    private static final long MIB = 1 << 20;

    private static BatchShares shares(long mostBytes, int writers) {
        BatchShares shares = new BatchShares(mostBytes);
        for (int i = 0; i < writers; i++) {
            shares.opened();
        }
        return shares;
    }

    @Test
    void aFewHaveAllThatAWriterMayHold() {
        assertThat(shares(4 * MIB, 1).bytesOfEach()).isEqualTo(4 * MIB);
        assertThat(shares(4 * MIB, 4).bytesOfEach()).isEqualTo(4 * MIB);
    }

    @Test
    void manyDivideWhatAFewHave() {
        BatchShares shares = shares(4 * MIB, 8);
        assertThat(shares.bytesOfEach()).isEqualTo(2 * MIB);
        shares.closed();
        assertThat(shares.bytesOfEach()).isEqualTo(16 * MIB / 7);
        assertThat(shares(1 << 30, 64).bytesOfEach()).isEqualTo(64 * MIB);
    }

    @Test
    void howeverManyThereAreEachHasRoomForRequests() {
        assertThat(shares(4 * MIB, 1_000).bytesOfEach()).isEqualTo(MIB);
    }

    @Test
    void noneHasMoreThanItsClientWasTold() {
        assertThat(shares(64 << 10, 1).bytesOfEach()).isEqualTo(64 << 10);
        assertThat(shares(64 << 10, 1_000).bytesOfEach()).isEqualTo(64 << 10);
    }

    /** Writers that come and go while others wait: whoever waits gets in, or the wait would end with a failure. */
    @SeededTest(runs = 50)
    void whoeverWaitsGetsInHoweverTheSharesChange(RandomGenerator random) {
        SimScheduler scheduler = new SimScheduler(random.nextLong());
        BatchShares shares = new BatchShares(4 * MIB);
        int[] ended = {0};
        int writers = 12;
        scheduler.run(Duration.ofHours(1), () -> {
            for (int i = 0; i < writers; i++) {
                scheduler.start("writer-" + i, () -> {
                    scheduler.pause(random.nextLong(200));
                    shares.opened();
                    write(scheduler, new Room(scheduler, 20, shares::bytesOfEach, 10_000), random);
                    shares.closed();
                    ended[0]++;
                });
            }
            scheduler.pause(Duration.ofMinutes(30).toMillis());
            assertThat(ended[0]).isEqualTo(writers);
        });
    }

    /** Two threads that add, and one that has written now and then what came first. */
    private static void write(SimScheduler scheduler, Room room, RandomGenerator random) throws InterruptedException {
        int adds = 30;
        Deque<Room.Place> held = new ArrayDeque<>();
        for (int adder = 0; adder < 2; adder++) {
            scheduler.start("adder", () -> {
                for (int i = 0; i < adds; i++) {
                    try {
                        held.add(room.enter(random.nextLong(random.nextBoolean() ? 2 * MIB : 6 * MIB)));
                    } catch (BigtableException stuck) {
                        throw new AssertionError(stuck);
                    }
                }
            });
        }
        int left = 0;
        while (left < 2 * adds) {
            scheduler.pause(1 + random.nextLong(20));
            Room.Place first = held.poll();
            if (first != null) {
                room.leave(List.of(first));
                left++;
            }
        }
    }
}
