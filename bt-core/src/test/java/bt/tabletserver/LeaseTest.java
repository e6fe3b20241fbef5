package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import bt.coord.LockService;
import bt.coord.Paths;
import bt.protocol.Address;
import bt.testing.SimLockService;
import bt.testing.SimScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class LeaseTest {
    private static final String SERVER = "server";
    private static final long LEASE_MILLIS = 6_000;
    private static final Optional<Standstill> STANDING = Optional.of(new Standstill("the read threads", false));

    private final SimScheduler simulation = new SimScheduler(1);
    private final Scheduler scheduler = simulation.process(SERVER);
    private final SimLockService service = new SimLockService(simulation);
    private final LockService session = service.session(SERVER, 10_000);
    private final LockService master = service.session("test", 10_000);
    private final Identity self = new Identity("server_1_a", new Address(SERVER, 1), 7);
    private final List<String> halts = new ArrayList<>();
    private Optional<Standstill> standstill = Optional.empty();
    private Runnable looked = () -> {};

    private interface Body {
        void run(Lease lease) throws BigtableException, InterruptedException;
    }

    /** The lease thread runs in the server's process, the body in the watching one. */
    private void run(Body body) {
        simulation.run(Duration.ofMinutes(10), () -> {
            try {
                master.create(Paths.server(self.id()), Bytes.EMPTY);
                CompletableFuture<Lease> started = new CompletableFuture<>();
                scheduler.start("lease", () -> started.complete(start()));
                body.run(simulation.await(started, 10_000));
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    private Lease start() {
        try {
            long sent = scheduler.clock().nanos();
            Lease.Held held = new Lease.Held(
                    session.tryLock(Paths.serverLock(self.id()), Bytes.EMPTY).orElseThrow(), sent);
            Lease lease = new Lease(scheduler, session, self, held, LEASE_MILLIS, this::halted);
            scheduler.start(
                    "renew",
                    () -> lease.run(() -> {
                        looked.run();
                        return standstill;
                    }));
            return lease;
        } catch (BigtableException failed) {
            throw new AssertionError(failed);
        }
    }

    private long deadline(long millis) {
        return scheduler.clock().nanos() + millis * 1_000_000;
    }

    @Test
    void aServerThatReachesTheLockServiceHoldsIt() {
        run(lease -> {
            for (int i = 0; i < 100; i++) {
                simulation.pause(500);
                assertThat(lease.isHeld()).isTrue();
            }
            assertThat(lease.whenHeld(deadline(1))).isCompleted();
        });
    }

    @Test
    void itLapsesOneLeaseAfterTheLastRenewalWasSent() {
        run(lease -> {
            simulation.pause(LEASE_MILLIS / 3 + 100);
            service.cutOff(SERVER);
            simulation.pause(LEASE_MILLIS / 3 * 2 - 200);
            assertThat(lease.isHeld()).isTrue();
            simulation.pause(LEASE_MILLIS / 3 + 200);
            assertThat(lease.isHeld()).isFalse();
        });
    }

    @Test
    void aReadWaitsForTheRenewal() {
        run(lease -> {
            service.cutOff(SERVER);
            simulation.pause(LEASE_MILLIS + 100);
            CompletableFuture<Void> read = lease.whenHeld(deadline(60_000));
            assertThat(read).isNotDone();
            service.reconnect(SERVER);
            simulation.await(read, 30_000);
            assertThat(lease.isHeld()).isTrue();
            assertThat(halts).isEmpty();
        });
    }

    @Test
    void theTimeWithoutTheLockServiceIsCounted() {
        run(lease -> {
            simulation.pause(LEASE_MILLIS);
            assertThat(lease.outageMillis()).isZero();
            service.stopFor(30_000);
            simulation.pause(60_000);
            assertThat(lease.isHeld()).isTrue();
            assertThat(lease.outageMillis()).isBetween(30_000 - LEASE_MILLIS, 30_000 + LEASE_MILLIS);
            assertThat(halts).isEmpty();
        });
    }

    /** A collection of garbage, or a machine that is moved: the lock service was there all the time. */
    @Test
    void forHowLongTheProcessStoodStillIsNoTimeOfTheLockService() {
        run(lease -> {
            simulation.pause(20_000);
            simulation.pauseProcess(SERVER, 30_000);
            simulation.pause(60_000);
            assertThat(lease.isHeld()).isTrue();
            assertThat(lease.outageMillis()).isLessThan(LEASE_MILLIS / 3);
            service.stopFor(30_000);
            simulation.pause(60_000);
            assertThat(lease.outageMillis()).isBetween(30_000 - LEASE_MILLIS, 30_000 + LEASE_MILLIS);
        });
    }

    /** Nor does it end later: a client that has heard nothing when its call's time is over takes the server for one that hangs. */
    @Test
    void aReadWaitsNoLongerThanItsDeadline() {
        run(lease -> {
            service.cutOff(SERVER);
            simulation.pause(LEASE_MILLIS + 100);
            // The lease thread has its answer of the lock service nine seconds after it asked.
            for (long millis : List.of(1_000, 2_000)) {
                long deadline = deadline(millis);
                CompletableFuture<Void> read = lease.whenHeld(deadline);
                assertThatThrownBy(() -> simulation.await(read, 30_000))
                        .isInstanceOf(UnavailableException.class)
                        .hasMessageContaining("no lease");
                assertThat(deadline - scheduler.clock().nanos())
                        .as("nanoseconds left of %d ms", millis)
                        .isBetween(0L, millis * 1_000_000 / 10);
            }
        });
    }

    /** Each of them may be the one whose client asks how long nothing has come. */
    @Test
    void thoseThatWaitForLongEndBeforeTheirCallersGiveUp() {
        run(lease -> {
            service.cutOff(SERVER);
            simulation.pause(LEASE_MILLIS + 100);
            List<Long> leftNanos = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                long deadline = deadline(15_000);
                CompletableFuture<?> unused = lease.whenHeld(deadline)
                        .whenComplete((held, lapsed) ->
                                leftNanos.add(deadline - scheduler.clock().nanos()));
                simulation.pause(500);
            }
            assertThat(leftNanos).isEmpty();
            simulation.pause(15_000);
            assertThat(leftNanos).hasSize(20).allSatisfy(nanos -> assertThat(nanos)
                    .isBetween(900_000_000L, 1_000_000_000L));
            assertThat(halts).isEmpty();
        });
    }

    @Test
    void aLockThatIsLostIsTakenAgainWhileTheFileIsThere() {
        run(lease -> {
            service.expire(session);
            simulation.pause(LEASE_MILLIS + 1_000);
            assertThat(lease.isHeld()).isTrue();
            assertThat(master.children(Paths.server(self.id()))).containsExactly("lock");
            assertThat(halts).isEmpty();
        });
    }

    @Test
    void aServerThatFindsItsLockLostAnswersNothingMore() {
        run(lease -> {
            service.expire(session);
            // The session of another holds the place, so that it cannot be taken again at once.
            assertThat(master.tryLock(Paths.serverLock(self.id()), Bytes.EMPTY)).isPresent();
            simulation.pause(LEASE_MILLIS / 3 + 100);
            assertThat(lease.isHeld()).isFalse();
        });
    }

    @Test
    void aServerWhoseFileIsGoneHaltsAndNeverAnswersAgain() {
        run(lease -> {
            service.cutOff(SERVER);
            simulation.pause(30_000);
            master.delete(Paths.server(self.id()));
            assertThat(lease.isHeld()).isFalse();
            service.reconnect(SERVER);
            simulation.pause(LEASE_MILLIS);
            assertThat(halts).singleElement().asString().contains("file is gone");
            assertThat(lease.isHeld()).isFalse();
        });
    }

    @Test
    void aServerThatStandsStillDoesNotKeepIt() {
        run(lease -> {
            standstill = STANDING;
            simulation.pause(LEASE_MILLIS + 100);
            assertThat(lease.isHeld()).isFalse();
            standstill = Optional.empty();
            simulation.pause(LEASE_MILLIS / 3 + 100);
            assertThat(lease.isHeld()).isTrue();
        });
    }

    @Test
    void aServerThatStandsStillForFiveLeasesEndsAndGivesItsLockBackBefore() {
        run(lease -> {
            standstill = STANDING;
            simulation.pause(4 * LEASE_MILLIS);
            assertThat(halts).isEmpty();
            assertThat(isLocked()).isTrue();
            simulation.pause(LEASE_MILLIS + 1_000);
            assertThat(halts).containsExactly("server_1_a: the read threads stand still");
            assertThat(isLocked()).isFalse();
        });
    }

    @Test
    void aServerThatHangsEndsAtOnceAndGivesItsLockBackBefore() {
        run(lease -> {
            standstill = Optional.of(new Standstill("the commit threads", true));
            simulation.pause(LEASE_MILLIS / 3 + 500);
            assertThat(halts).containsExactly("server_1_a: the commit threads hang");
            assertThat(lease.isHeld()).isFalse();
            assertThat(isLocked()).isFalse();
        });
    }

    @Test
    void whoCannotGiveItsLockBackEndsAllTheSame() {
        run(lease -> {
            service.cutOff(SERVER);
            standstill = Optional.of(new Standstill("the commit threads", true));
            simulation.pause(LEASE_MILLIS / 3 + 500);
            assertThat(halts).hasSize(1);
        });
    }

    /** All of its threads stood still, so it looked at none of them: the first look after that tells of no other. */
    @Test
    void aProcessThatWasStoppedForLongerThanFiveLeasesGoesOn() {
        run(lease -> {
            simulation.pauseProcess(SERVER, 6 * LEASE_MILLIS);
            standstill = STANDING;
            looked = () -> looked = () -> standstill = Optional.empty();
            simulation.pause(8 * LEASE_MILLIS);
            assertThat(halts).isEmpty();
            assertThat(lease.isHeld()).isTrue();
        });
    }

    private void halted(String reason) {
        try {
            halts.add(reason + (isLocked() ? ", and has its lock" : ""));
        } catch (BigtableException failed) {
            throw new AssertionError(failed);
        }
    }

    private boolean isLocked() throws BigtableException {
        return !master.children(Paths.server(self.id())).isEmpty();
    }

    @Test
    void whatIsReleasedIsAnothersToTake() {
        run(lease -> {
            CompletableFuture<Void> before = lease.whenHeld(deadline(1_000));
            lease.release();
            assertThat(before).isCompleted();
            assertThat(lease.isHeld()).isFalse();
            assertThat(lease.whenHeld(deadline(1_000))).isCompletedExceptionally();
            simulation.pause(LEASE_MILLIS);
            master.delete(Paths.server(self.id()));
        });
    }
}
