package bt.log;

import static bt.log.LogFixture.STREAM;
import static bt.log.LogFixture.bytes;
import static bt.log.LogFixture.put;
import static bt.log.LogFixture.replace;
import static bt.log.LogSimulation.log;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.CorruptionException;
import bt.base.FencedException;
import bt.base.UnavailableException;
import bt.testing.Faults;
import bt.testing.Faults.Failure;
import bt.testing.Faults.Fault;
import bt.testing.FileOperation;
import bt.testing.SeededTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** When the active writer is slow or fails the log goes over to the other, and nothing is lost, doubled or reordered. */
class CommitLogSwitchTest {
    private static final LogOptions OPTIONS = new LogOptions(1 << 20, 2_000, 20_000);

    /** So many milliseconds before a sync of the segment begins. */
    private static Faults slowSync(long segment, long millis) {
        return syncOf(segment, new Fault(millis, Failure.NONE));
    }

    private static Faults syncOf(long segment, Fault fault) {
        return (operation, path) ->
                operation == FileOperation.SYNC && path.equals(STREAM.path(segment)) ? fault : Faults.NONE;
    }

    @Test
    void aSyncPastItsDeadlineSendsTheBatchToTheOtherWriter() throws Exception {
        LogSimulation sim = new LogSimulation(1);
        sim.run(() -> {
            CommitLog log = sim.open(OPTIONS);
            assertThat(log(log, true, put(0, "a", 10))).isTrue();
            sim.scheduler.pause(1_000);
            sim.faults = slowSync(1, 600_000);
            Duration before = sim.scheduler.elapsed();
            assertThat(log(log, true, put(1, "b", 10))).isFalse();
            assertThat(sim.scheduler.elapsed().minus(before))
                    .isBetween(Duration.ofSeconds(2), Duration.ofMillis(2_100));
            assertThat(log.segment()).isEqualTo(2);
            assertThat(log(log, true, put(2, "c", 10))).isTrue();
            sim.scheduler.pause(1_000);
            // The slow one is closed to its writer and can be read, the next is made ahead.
            sim.after.open(STREAM.path(1)).close();
            assertThat(sim.after.list(STREAM.directory())).hasSize(3);
            log.abandon();
            assertThat(sim.recover()).containsExactly(put(0, "a", 10), put(1, "b", 10), put(2, "c", 10));
        });
    }

    @Test
    void aBatchThatIsInBothSegmentsIsReadOnce() throws Exception {
        LogSimulation sim = new LogSimulation(1);
        sim.run(() -> {
            CommitLog log = sim.open(OPTIONS);
            sim.faults = syncOf(1, new Fault(0, Failure.AFTERWARDS));
            assertThat(log(log, true, put(0, "a", 10), put(1, "b", 10))).isFalse();
            assertThat(log(log, true, put(2, "c", 10))).isTrue();
            log.close();
            sim.fenceAll();
            LogReader reader = LogReader.open(sim.after, STREAM);
            assertThat(reader.read(1, entry -> {}).records()).isEqualTo(2);
            assertThat(reader.read(2, entry -> {}).records()).isEqualTo(3);
            assertThat(sim.recover()).containsExactly(put(0, "a", 10), put(1, "b", 10), put(2, "c", 10));
        });
    }

    @Test
    void aSyncThatNeverHappenedLosesNothing() throws Exception {
        LogSimulation sim = new LogSimulation(1);
        sim.run(() -> {
            CommitLog log = sim.open(OPTIONS);
            sim.faults = syncOf(1, new Fault(0, Failure.INSTEAD));
            assertThat(log(log, true, put(0, "a", 10))).isFalse();
            sim.store.crash("server", sim.scheduler.random("crash"));
            assertThat(sim.recover()).containsExactly(put(0, "a", 10));
        });
    }

    /** Its answer was given for a flush, and the sync that was to follow within a second comes too late. */
    @Test
    void whatWasOnlyFlushedToASlowSegmentIsSyncedInTheNext() throws Exception {
        LogSimulation sim = new LogSimulation(1);
        sim.run(() -> {
            CommitLog log = sim.open(OPTIONS);
            log(log, false, put(0, "a", 10));
            log(log, false, put(1, "b", 10));
            sim.scheduler.pause(1_000);
            sim.faults = slowSync(1, 600_000);
            log.write(new LogBatch(), true);
            assertThat(log.settle()).isFalse();
            assertThat(log.isDirty()).isFalse();
            log(log, true, put(2, "c", 10));
            losePower(sim);
            assertThat(LogFixture.readAll(sim.store.process("later")))
                    .containsExactly(put(0, "a", 10), put(1, "b", 10), put(2, "c", 10));
        });
    }

    @Test
    void whatNoSegmentSyncedGoesFromOneToTheNext() throws Exception {
        LogSimulation sim = new LogSimulation(1);
        sim.run(() -> {
            CommitLog log = sim.open(OPTIONS);
            log(log, false, put(0, "a", 10));
            sim.scheduler.pause(1_000);
            for (int i = 1; i <= 2; i++) {
                String slow = STREAM.path(log.segment());
                sim.faults = (operation, path) -> operation == FileOperation.FLUSH && path.equals(slow)
                        ? new Fault(0, Failure.INSTEAD)
                        : Faults.NONE;
                assertThat(log(log, false, put(i, "b", 10))).isFalse();
                sim.scheduler.pause(1_000);
            }
            assertThat(log.segment()).isEqualTo(3);
            log(log, true, put(3, "c", 10));
            losePower(sim);
            assertThat(LogFixture.readAll(sim.store.process("later")))
                    .containsExactly(put(0, "a", 10), put(1, "b", 10), put(2, "b", 10), put(3, "c", 10));
        });
    }

    @Test
    void moreThanIsKeptIsSyncedWithoutBeingAsked() throws Exception {
        LogSimulation sim = new LogSimulation(1);
        sim.run(() -> {
            CommitLog log = sim.open(new LogOptions(64 << 20));
            log(log, false, put(0, "a", Unsynced.MAX_BYTES - 1_000));
            assertThat(log.isDirty()).isTrue();
            log(log, false, put(1, "b", 2_000));
            assertThat(log.isDirty()).isFalse();
            log(log, false, put(2, "c", 2_000));
            assertThat(log.isDirty()).isTrue();
            log.close();
        });
    }

    private static void losePower(LogSimulation sim) throws BigtableException, InterruptedException {
        sim.faults = (operation, path) -> Faults.NONE;
        sim.fenceAll();
        sim.store.losePower(sim.scheduler.random("power"));
    }

    @Test
    void whenBothAreSlowTheFirstToBeDoneSettlesIt() throws Exception {
        LogSimulation sim = new LogSimulation(1);
        sim.run(() -> {
            CommitLog log = sim.open(OPTIONS);
            sim.scheduler.pause(1_000);
            sim.faults = (operation, path) -> switch (operation) {
                case SYNC -> new Fault(9_000, Failure.NONE);
                case CREATE, FENCE -> new Fault(15_000, Failure.NONE);
                default -> Faults.NONE;
            };
            // 2 s for the first, 9 s for the second, while the third is not there.
            assertThat(log(log, true, put(0, "a", 10))).isFalse();
            assertThat(log.segment()).isEqualTo(2);
            sim.faults = (operation, path) -> Faults.NONE;
            assertThat(log(log, true, put(1, "b", 10))).isTrue();
            log.abandon();
            assertThat(sim.recover()).containsExactly(put(0, "a", 10), put(1, "b", 10));
        });
    }

    /** A datanode that hangs is in both, and keeps HDFS from closing either for a minute. */
    @Test
    void whenBothHangTheThirdIsNotKeptWaitingForTheirEnd() throws Exception {
        LogSimulation sim = new LogSimulation(1);
        sim.run(() -> {
            CommitLog log = sim.open(OPTIONS);
            assertThat(log(log, true, put(0, "a", 10))).isTrue();
            sim.scheduler.pause(1_000);
            List<String> slow = List.of(STREAM.path(1), STREAM.path(2));
            sim.faults = (operation, path) ->
                    operation == FileOperation.FENCE || (operation == FileOperation.SYNC && slow.contains(path))
                            ? new Fault(600_000, Failure.NONE)
                            : Faults.NONE;
            Duration before = sim.scheduler.elapsed();
            assertThat(log(log, true, put(1, "b", 10))).isFalse();
            assertThat(sim.scheduler.elapsed().minus(before)).isBetween(Duration.ofSeconds(2), Duration.ofSeconds(3));
            assertThat(log.segment()).isEqualTo(3);
            assertThat(log(log, true, put(2, "c", 10))).isTrue();
            sim.faults = (operation, path) -> Faults.NONE;
            log.abandon();
            assertThat(sim.recover()).containsExactly(put(0, "a", 10), put(1, "b", 10), put(2, "c", 10));
        });
    }

    @Test
    void whenBothHangNobodyKnows() throws Exception {
        LogSimulation sim = new LogSimulation(1);
        sim.run(() -> {
            CommitLog log = sim.open(OPTIONS);
            sim.scheduler.pause(1_000);
            sim.faults = (operation, path) -> new Fault(600_000, Failure.NONE);
            Duration before = sim.scheduler.elapsed();
            assertThatThrownBy(() -> log(log, true, put(0, "a", 10))).isInstanceOf(UnavailableException.class);
            assertThat(sim.scheduler.elapsed().minus(before)).isLessThanOrEqualTo(Duration.ofSeconds(21));
            log.abandon();
        });
    }

    @Test
    void aBatchThatNoWriterTakesEndsTheLog() throws Exception {
        LogSimulation sim = new LogSimulation(1);
        sim.run(() -> {
            CommitLog log = sim.open(OPTIONS);
            sim.faults =
                    (operation, path) -> new Fault(0, operation == FileOperation.SYNC ? Failure.INSTEAD : Failure.NONE);
            assertThatThrownBy(() -> log(log, true, put(0, "a", 10))).isInstanceOf(UnavailableException.class);
            assertThat(log.segment()).isEqualTo(4);
            log.abandon();
        });
    }

    @Test
    void aSegmentThatWasTakenFromUsIsNoReasonToGoOn() throws Exception {
        LogSimulation sim = new LogSimulation(1);
        sim.run(() -> {
            CommitLog log = sim.open(OPTIONS);
            sim.scheduler.pause(1_000);
            sim.fenceAll();
            assertThatThrownBy(() -> log(log, true, put(0, "a", 10))).isInstanceOf(FencedException.class);
            assertThat(log.segment()).isEqualTo(1);
            log.abandon();
        });
    }

    @Test
    void whatWasSyncedInASlowSegmentMustBeThere() throws Exception {
        LogSimulation sim = new LogSimulation(1);
        sim.run(() -> {
            CommitLog log = sim.open(OPTIONS);
            log(log, true, put(0, "a", 10));
            sim.faults = syncOf(1, new Fault(0, Failure.INSTEAD));
            log(log, true, put(1, "b", 10));
            log.close();
            sim.fenceAll();
            byte[] slow = bytes(sim.after, 1);
            for (int cut = 1; cut < slow.length; cut++) {
                replace(sim.after, STREAM.path(1), Arrays.copyOf(slow, slow.length - cut));
                assertThatThrownBy(() -> LogFixture.readAll(sim.after))
                        .isInstanceOf(CorruptionException.class)
                        .hasMessageStartingWith(STREAM.path(1) + " at ")
                        .hasMessageContaining("of it were on disk");
            }
        });
    }

    @Test
    void aFooterThatDoesNotComeLeavesASegmentLikeAnySlowOne() throws Exception {
        LogSimulation sim = new LogSimulation(1);
        sim.run(() -> {
            CommitLog log = sim.open(new LogOptions(100, 2_000, 20_000));
            log(log, true, put(0, "a", 10));
            sim.scheduler.pause(1_000);
            sim.faults = slowSync(1, 600_000);
            assertThat(log(log, true, put(1, "b", 10))).isTrue();
            assertThat(log.segment()).isEqualTo(2);
            log.abandon();
            assertThat(sim.recover()).containsExactly(put(0, "a", 10), put(1, "b", 10));
        });
    }

    @SeededTest(runs = 200)
    void whatIsSettledIsReadOnceAndInOrderWhateverFails(RandomGenerator random) throws Exception {
        LogSimulation sim = new LogSimulation(random.nextLong());
        sim.run(() -> {
            CommitLog log = sim.open(new LogOptions(1 + random.nextInt(20_000), 2_000, 20_000));
            sim.faults = Faults.seeded(new java.util.Random(random.nextLong()), 20, 6_000);
            int durable = 0;
            List<LogRecord> doubtful = new ArrayList<>();
            LogBatch batch = new LogBatch();
            try {
                for (int i = 0; i < 100; i++) {
                    LogRecord entry = put(i, "row-" + i, random.nextInt(2_000));
                    doubtful.add(entry);
                    log.write(batch.add(entry), random.nextInt(3) == 0);
                    if (log.settle()) {
                        batch.clear();
                    } else {
                        batch = new LogBatch();
                    }
                    durable = log.isDirty() ? durable : doubtful.size();
                }
            } catch (BigtableException halt) {
                // So nobody knows whether the last one is there.
                log.abandon();
            }
            losePower(sim);
            List<LogRecord> found = LogFixture.readAll(sim.store.process("later"));
            assertThat(found).isEqualTo(doubtful.subList(0, found.size())).hasSizeGreaterThanOrEqualTo(durable);
        });
    }

    /** The file system replaces nothing in a file that is open, so one datanode would be all that has it. */
    @Test
    void aBatchThatOneDatanodeAloneHasGoesToTheOtherWriter() throws Exception {
        LogSimulation sim = new LogSimulation(1);
        sim.run(() -> {
            CommitLog log = sim.open(OPTIONS);
            log(log, true, put(0, "a", 10));
            log(log, false, put(1, "b", 10));
            sim.scheduler.pause(1_000);
            sim.store.thin(STREAM.path(1));
            assertThat(log(log, true, put(2, "c", 10))).isFalse();
            assertThat(log.segment()).isEqualTo(2);
            sim.scheduler.pause(1_000);
            // What the first has beyond what two datanodes had is promised by nobody.
            byte[] first = bytes(sim.after, 1);
            int batch = (int) Piece.nextChunk(1);
            replace(sim.after, STREAM.path(1), Arrays.copyOf(first, first.length - batch));
            log.abandon();
            assertThat(sim.recover()).containsExactly(put(0, "a", 10), put(1, "b", 10), put(2, "c", 10));
        });
    }

    @Test
    void nothingIsAcknowledgedUntilTwoDatanodesHaveIt() throws Exception {
        LogSimulation sim = new LogSimulation(1);
        sim.run(() -> {
            CommitLog log = sim.open(OPTIONS);
            log(log, true, put(0, "a", 10));
            sim.scheduler.pause(1_000);
            for (int segment = 1; segment <= 3; segment++) {
                sim.store.thin(STREAM.path(segment));
            }
            sim.scheduler.start("datanodes come back", () -> {
                sim.scheduler.pause(300_000);
                sim.store.mend(STREAM.path(3));
            });
            Duration before = sim.scheduler.elapsed();
            assertThat(log(log, true, put(1, "b", 10))).isFalse();
            assertThat(sim.scheduler.elapsed().minus(before))
                    .isBetween(Duration.ofSeconds(300), Duration.ofSeconds(303));
            assertThat(log.segment()).isEqualTo(3);
            assertThat(sim.scheduler.clock().nanos() - log.refusedNanos()).isLessThan(10_000_000_000L);
            assertThat(log(log, true, put(2, "c", 10))).isTrue();
            log.abandon();
            assertThat(sim.recover()).containsExactly(put(0, "a", 10), put(1, "b", 10), put(2, "c", 10));
        });
    }

    @Test
    void aFileSystemThatTakesNothingForTooLongEndsTheLog() throws Exception {
        assertPatience(Failure.REFUSED, Duration.ofMillis(OPTIONS.standstillMillis()));
        assertPatience(Failure.INSTEAD, Duration.ofMillis(OPTIONS.outageMillis()));
    }

    private static void assertPatience(Failure failure, Duration expected) throws Exception {
        LogSimulation sim = new LogSimulation(1);
        sim.run(() -> {
            CommitLog log = sim.open(OPTIONS);
            sim.scheduler.pause(1_000);
            sim.faults = (operation, path) -> operation == FileOperation.CREATE || operation == FileOperation.SYNC
                    ? new Fault(0, failure)
                    : Faults.NONE;
            Duration before = sim.scheduler.elapsed();
            assertThatThrownBy(() -> log(log, true, put(0, "a", 10))).isInstanceOf(UnavailableException.class);
            assertThat(sim.scheduler.elapsed().minus(before))
                    .isBetween(expected.minusSeconds(10), expected.plusSeconds(10));
            log.abandon();
        });
    }

    /** Nobody closes a file that is gone: who went on trying would keep later segments from being made. */
    @Test
    void aSlowSegmentThatIsDeletedBeforeItIsClosedIsNotClosed() throws Exception {
        LogSimulation sim = new LogSimulation(1);
        sim.run(() -> {
            CommitLog log = sim.open(new LogOptions(100_000, 2_000, 20_000));
            log(log, true, put(0, "a", 10));
            sim.scheduler.pause(1_000);
            for (int segment = 1; segment <= 3; segment++) {
                becomeSlow(sim, log, segment);
            }
            sim.faults = fencesFail();
            log.release(log.segment());
            log(log, true, put(4, "large", 120_000));
            sim.scheduler.pause(1_000);
            log(log, true, put(5, "b", 10));
            sim.scheduler.pause(10_000);
            assertThat(paths(sim)).doesNotContain(STREAM.path(3));
            long slow = log.segment();
            becomeSlow(sim, log, slow);
            assertThat(paths(sim)).as("with one made ahead").contains(STREAM.path(slow + 2));
            log.abandon();
        });
    }

    private static List<String> paths(LogSimulation sim) throws BigtableException {
        return sim.after.list(STREAM.directory()).stream()
                .map(file -> STREAM.directory() + "/" + file.name())
                .toList();
    }

    /** The log leaves it, and cannot close it. */
    private static void becomeSlow(LogSimulation sim, CommitLog log, long segment)
            throws BigtableException, InterruptedException {
        sim.faults = (operation, path) -> operation == FileOperation.FENCE
                ? fencesFail().next(operation, path)
                : slowSync(segment, 600_000).next(operation, path);
        assertThat(log(log, true, put(segment, "slow", 10))).isFalse();
        assertThat(log.segment()).isEqualTo(segment + 1);
        sim.scheduler.pause(1_000);
    }

    private static Faults fencesFail() {
        return (operation, path) -> operation == FileOperation.FENCE ? new Fault(0, Failure.INSTEAD) : Faults.NONE;
    }

    /** METADATA's log may be written to once in a week. */
    @Test
    void aSegmentThatNobodyWritesToIsLeftAsWell() throws Exception {
        LogSimulation sim = new LogSimulation(1);
        sim.run(() -> {
            CommitLog log = sim.open(OPTIONS);
            log(log, true, put(0, "a", 10));
            sim.scheduler.pause(1_000);
            assertThat(log.mustRoll()).isFalse();
            sim.store.thin(STREAM.path(1));
            sim.scheduler.pause(10_000);
            assertThat(log.mustRoll()).isTrue();
            log.write(new LogBatch(), true);
            assertThat(log.settle()).isTrue();
            assertThat(log.segment()).isEqualTo(2);
            assertThat(log.mustRoll()).isFalse();
            log.abandon();
            assertThat(sim.recover()).containsExactly(put(0, "a", 10));
        });
    }

    @Test
    void whoHasNothingToWriteDoesNotWaitForDatanodes() throws Exception {
        LogSimulation sim = new LogSimulation(1);
        sim.run(() -> {
            CommitLog log = sim.open(OPTIONS);
            log(log, true, put(0, "a", 10));
            sim.scheduler.pause(1_000);
            for (int segment = 1; segment <= 3; segment++) {
                sim.store.thin(STREAM.path(segment));
            }
            sim.scheduler.pause(10_000);
            assertThat(log.mustRoll()).isFalse();
            Duration before = sim.scheduler.elapsed();
            log.write(new LogBatch(), true);
            assertThat(log.settle()).isTrue();
            assertThat(sim.scheduler.elapsed().minus(before)).isLessThan(Duration.ofSeconds(1));
            log.abandon();
        });
    }
}
