package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.model.TableSchema;
import bt.protocol.Caller;
import bt.protocol.WriteId;
import bt.protocol.WriteResult;
import bt.sstable.ReadWork;
import bt.testing.Faults.Failure;
import bt.testing.Faults.Fault;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class ProgressTest {
    private static final long LEASE_MILLIS = 6_000;

    private final CommitFixture fixture;
    private final Pools pools;

    ProgressTest() throws BigtableException {
        fixture = CommitFixture.of(1);
        pools = new Pools(fixture.scheduler, TabletServerConfig.DEFAULT);
    }

    private Progress progress(Supplier<CompletableFuture<Void>> turns) {
        CommitQueue queue = fixture.hosted.queue();
        return new Progress(
                fixture.scheduler, new CommitQueues(queue, queue), pools, new TabletSet(), turns, LEASE_MILLIS);
    }

    @Test
    void whoeverLooksMayHaveBeenAwayForLongerThanTheServerMayStandStill() {
        fixture.run(() -> {
            Progress progress = progress(() -> {
                CompletableFuture<Void> turn = new CompletableFuture<>();
                fixture.scheduler.after(1, () -> turn.complete(null));
                return turn;
            });
            assertThat(progress.look()).isEmpty();
            for (int i = 0; i < 3; i++) {
                // For two answers of the lock service.
                fixture.scheduler.pause(2 * LEASE_MILLIS);
                assertThat(progress.look()).isEmpty();
            }
        });
    }

    @Test
    void whatIsSentAndDoesNotComeBackStandsStill() {
        fixture.run(() -> {
            Progress progress = progress(CompletableFuture::new);
            assertThat(progress.look()).isEmpty();
            fixture.scheduler.pause(LEASE_MILLIS - 1);
            assertThat(progress.look()).isEmpty();
            fixture.scheduler.pause(2);
            assertThat(progress.look()).contains(new Standstill("the event loops", false));
        });
    }

    /** Each thread has one, and many wait: the canary comes and goes all the same. */
    @Test
    void asManyReadsAsThereAreThreadsMayTakeLongerThanALease() {
        fixture.run(() -> {
            Progress progress = progress(() -> CompletableFuture.completedFuture(null));
            fillReadThreads(10 * LEASE_MILLIS);
            for (long millis = 0; millis < 20 * LEASE_MILLIS; millis += LEASE_MILLIS / 3) {
                assertThat(progress.look()).isEmpty();
                fixture.scheduler.pause(LEASE_MILLIS / 3);
            }
        });
    }

    @Test
    void readsThatNeverEndStandStillThoughTheCanaryComesAndGoes() {
        fixture.run(() -> {
            Progress progress = progress(() -> CompletableFuture.completedFuture(null));
            fillReadThreads(Integer.MAX_VALUE);
            long stoodMillis = 0;
            while (stoodMillis < 200_000 && progress.look().isEmpty()) {
                fixture.scheduler.pause(LEASE_MILLIS / 3);
                stoodMillis += LEASE_MILLIS / 3;
            }
            assertThat(progress.look()).contains(new Standstill("the read threads", false));
            assertThat(stoodMillis).isBetween(119_000L, 123_000L);
        });
    }

    /** As one of a large row that no cache has may, which is read block by block: none begins, and none ends. */
    @Test
    void readsThatGetOnMayTakeLongerThanAnyThatDoesNot() {
        fixture.run(() -> {
            Progress progress = progress(() -> CompletableFuture.completedFuture(null));
            fillReadThreads(this::readTwentyBlocks);
            for (long millis = 0; millis < 300_000; millis += LEASE_MILLIS / 3) {
                assertThat(progress.look()).isEmpty();
                fixture.scheduler.pause(LEASE_MILLIS / 3);
            }
        });
    }

    private void readTwentyBlocks() throws InterruptedException {
        ReadWork work = ReadWork.ofThread();
        Caller caller = new Caller("test", "test", Long.MAX_VALUE);
        ReadPool pool = pools.reads(TableSchema.METADATA_ID + 1);
        work.begin(new AwaitedRead(caller, fixture.scheduler.clock(), fixture.readRoom.hold(), pool), 1_000);
        try {
            for (int i = 0; i < 20; i++) {
                work.look();
                fixture.scheduler.pause(30_000);
            }
        } catch (BigtableException impossible) {
            throw new AssertionError(impossible);
        } finally {
            work.end();
        }
    }

    private void fillReadThreads(long millis) {
        fillReadThreads(() -> fixture.scheduler.pause(millis));
    }

    private void fillReadThreads(SlowRead read) {
        for (int i = 0; i < 100; i++) {
            pools.reads(TableSchema.METADATA_ID + 1).execute("host" + i, () -> {
                try {
                    read.run();
                } catch (InterruptedException stopped) {
                    Thread.currentThread().interrupt();
                }
            });
        }
    }

    private interface SlowRead {
        void run() throws InterruptedException;
    }

    @Test
    void anEventLoopThatHangsIsSeenAfterALeaseOfLooksHoweverLongNobodyLooked() {
        fixture.run(() -> {
            Progress progress = progress(CompletableFuture::new);
            assertThat(progress.look()).isEmpty();
            // The process was stopped, say.
            fixture.scheduler.pause(20 * LEASE_MILLIS);
            assertThat(progress.look()).contains(new Standstill("the event loops", false));
            fixture.scheduler.pause(LEASE_MILLIS / 3);
            assertThat(progress.look()).contains(new Standstill("the event loops", false));
            fixture.scheduler.pause(LEASE_MILLIS / 3);
            assertThat(progress.look()).contains(new Standstill("the event loops", true));
        });
    }

    @Test
    void aCommitThreadThatTakesNoStepHangs() {
        fixture.run(() -> {
            Progress progress = progress(() -> CompletableFuture.completedFuture(null));
            assertThat(progress.look()).isEmpty();
            fixture.scheduler.pause(LEASE_MILLIS / 3);
            assertThat(progress.look()).isEmpty();
            fixture.simulation.hangWorker("server", "commit");
            int looks = 0;
            do {
                fixture.scheduler.pause(LEASE_MILLIS / 3);
                looks++;
            } while (!progress.look().map(Standstill::hangs).orElse(false));
            assertThat(looks).isEqualTo(3);
        });
    }

    /** No datanode answers for as long as that is borne: nothing but waiting helps, and it ends by itself. */
    @Test
    void aCommitThreadThatWaitsForTheFileStoreStandsStillAndDoesNotHang() {
        fixture.run(() -> {
            Progress progress = progress(() -> CompletableFuture.completedFuture(null));
            assertThat(progress.look()).isEmpty();
            fixture.faults = (operation, path) -> new Fault(60_000, Failure.NONE);
            CompletableFuture<WriteResult> write =
                    fixture.begin(CommitFixture.put("r", "v"), new WriteId(1, 1, 1), Optional.empty());
            boolean stood = false;
            for (long millis = 0; millis < 24_000; millis += LEASE_MILLIS / 3) {
                fixture.scheduler.pause(LEASE_MILLIS / 3);
                Optional<Standstill> seen = progress.look();
                assertThat(seen.map(Standstill::hangs)).isNotEqualTo(Optional.of(true));
                stood |= seen.isPresent();
            }
            assertThat(stood).isTrue();
            assertThat(write).isNotDone();
        });
    }

    /** What is looked at often takes no step between two looks. */
    @Test
    void aServerWithAShortLeaseHasSixSecondsToo() {
        fixture.run(() -> {
            CommitQueue queue = fixture.hosted.queue();
            Progress progress = new Progress(
                    fixture.scheduler,
                    new CommitQueues(queue, queue),
                    new Pools(fixture.scheduler, TabletServerConfig.DEFAULT),
                    new TabletSet(),
                    CompletableFuture::new,
                    300);
            for (int look = 0; look < 60; look++) {
                assertThat(progress.look().map(Standstill::hangs)).isNotEqualTo(Optional.of(true));
                fixture.scheduler.pause(100);
            }
            assertThat(progress.look()).contains(new Standstill("the event loops", true));
        });
    }

    @Test
    void aCommitThreadThatWasToldToEndDoesNotHang() {
        fixture.run(() -> {
            Progress progress = progress(() -> CompletableFuture.completedFuture(null));
            fixture.scheduler.await(fixture.hosted.queue().close(), 10_000);
            for (int look = 0; look < 10; look++) {
                assertThat(progress.look().map(Standstill::hangs)).isNotEqualTo(Optional.of(true));
                fixture.scheduler.pause(LEASE_MILLIS / 3);
            }
        });
    }
}
