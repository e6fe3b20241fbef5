package bt.master;

import static org.assertj.core.api.Assertions.assertThat;

import bt.protocol.Address;
import bt.testing.MemoryFileStore;
import bt.testing.SimScheduler;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Of servers without logs, which are closed at once; a master whose lease is six seconds. */
class GravesTest {
    private static final long OWN_MILLIS = 6_000;

    private static Member server(long epoch, long leaseMillis) {
        return new Member("s" + epoch, new Address("s", 1), epoch, "", leaseMillis);
    }

    private static Graves graves(SimScheduler scheduler, Workers workers) {
        return new Graves(
                new MemoryFileStore(scheduler.clock()).process("master"), scheduler, workers, OWN_MILLIS, () -> {});
    }

    /** So long after its first look the server's tablets may be loaded by others. */
    private static long waits(long epoch, Member... met) {
        SimScheduler scheduler = new SimScheduler(1);
        long[] waited = new long[1];
        scheduler.run(Duration.ofMinutes(5), () -> {
            try (Workers workers = Workers.start(scheduler)) {
                Graves graves = graves(scheduler, workers);
                for (Member server : met) {
                    graves.met(server);
                }
                long begun = scheduler.clock().nanos();
                while (!graves.isClosed(epoch, true)) {
                    scheduler.pause(100);
                    graves.looked(Sights.of(Map.of()));
                }
                waited[0] = (scheduler.clock().nanos() - begun) / 1_000_000;
            }
        });
        return waited[0];
    }

    /** While the setting is being changed it may still answer reads when a lease of ours is over. */
    @Test
    void aServerWithALongerLeaseThanOursIsWaitedForAsLong() {
        assertThat(waits(7, server(7, 20_000), server(8, 60_000))).isBetween(20_000L, 20_500L);
    }

    @Test
    void ourOwnIsTheLeastThatIsWaited() {
        assertThat(waits(7)).isBetween(OWN_MILLIS, OWN_MILLIS + 500);
        assertThat(waits(7, server(7, 1_000))).isBetween(OWN_MILLIS, OWN_MILLIS + 500);
        assertThat(waits(7, server(7, 0))).isBetween(OWN_MILLIS, OWN_MILLIS + 500);
    }

    /** Whoever ruled before has deleted its file. */
    @Test
    void aServerThatWeHaveNeverMetMayHaveTheLongestLease() {
        assertThat(waits(7, server(8, 20_000), server(9, 9_000))).isBetween(20_000L, 20_500L);
    }

    /** A master may take it for dead before it knows it, one that stood still say. */
    @Test
    void whoLivesAfterAllIsWaitedForFromItsDeathOn() {
        Member server = server(7, 0);
        assertThat(dies(server, Sights.of(Map.of(server, List.of())))).isBetween(OWN_MILLIS, OWN_MILLIS + 500);
    }

    @Test
    void soIsWhoMayReturnAfterAll() {
        Member server = server(7, 0);
        Sight unlocked = new Sight(List.of(), List.of(server), Map.of(), Set.of());
        assertThat(dies(server, unlocked)).isBetween(OWN_MILLIS, OWN_MILLIS + 500);
    }

    /** It was asked for once, then it was there for longer than a lease, then it died: so long after that its tablets may be loaded. */
    private static long dies(Member server, Sight there) {
        SimScheduler scheduler = new SimScheduler(1);
        long[] waited = new long[1];
        scheduler.run(Duration.ofMinutes(5), () -> {
            try (Workers workers = Workers.start(scheduler)) {
                Graves graves = graves(scheduler, workers);
                assertThat(graves.isClosed(server.epoch(), true)).isFalse();
                for (int i = 0; i < 20; i++) {
                    graves.looked(there);
                    scheduler.pause(1_000);
                }
                long died = scheduler.clock().nanos();
                while (!graves.isClosed(server.epoch(), true)) {
                    graves.looked(Sights.of(Map.of()));
                    scheduler.pause(100);
                }
                waited[0] = (scheduler.clock().nanos() - died) / 1_000_000;
            }
        });
        return waited[0];
    }
}
