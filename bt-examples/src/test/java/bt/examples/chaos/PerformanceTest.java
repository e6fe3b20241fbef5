package bt.examples.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException.Outcome;
import bt.base.Clock;
import bt.base.Mailbox;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Test;

/** What a plan says is done until somebody has felt it, or the report says that nobody did. Its time is the test's. */
class PerformanceTest {
    private final LeapingScheduler scheduler = new LeapingScheduler();
    private final Journal journal = new Journal(scheduler.clock(), new PrintStream(OutputStream.nullOutputStream()));

    /** When each was begun, and undone. */
    private final List<Long> begun = new ArrayList<>();

    private final List<Long> undone = new ArrayList<>();
    private final List<Integer> rolls = new ArrayList<>();
    private long patienceMillis = 15_000;
    private LongPredicate cannotUndo = now -> false;

    @Test
    void whatIsFeltIsCountedAndUndoneWhenItsTimeIsOver() throws Exception {
        Performance performance = perform(planted(true, lasting -> true));
        assertThat(performance.felt()).isEqualTo(Map.of(FaultKind.FILL_DISK, 1L));
        assertThat(performance.givenUp()).isEmpty();
        assertThat(undone).hasSize(1);
        assertThat(undone.get(0) - begun.get(0)).isBetween(1_000L, 1_100L);
    }

    @Test
    void whatNobodyHasFeltYetLastsLonger() throws Exception {
        Performance performance = perform(planted(true, lasting -> lasting >= 8_000));
        assertThat(performance.felt()).isEqualTo(Map.of(FaultKind.FILL_DISK, 1L));
        assertThat(undone).hasSize(1);
        assertThat(undone.get(0) - begun.get(0)).isBetween(8_000L, 8_100L);
    }

    /** Whoever should feel it may have to start first, which ends with it. */
    @Test
    void itIsNotBegunAgainWhileItMayStillBeFelt() throws Exception {
        patienceMillis = new Kill(Victim.MASTER).patienceMillis();
        Performance performance = perform(planted(true, lasting -> lasting >= 100_000));
        assertThat(performance.felt()).isEqualTo(Map.of(FaultKind.FILL_DISK, 1L));
        assertThat(begun).hasSize(1);
    }

    @Test
    void whatNobodyFeltIsBegunAgainThenGivenUpAndNotCounted() throws Exception {
        Performance performance = perform(planted(true, lasting -> false));
        assertThat(performance.felt()).isEmpty();
        assertThat(performance.givenUp()).isEqualTo(Map.of(FaultKind.FILL_DISK, 1L));
        assertThat(begun).hasSizeGreaterThan(1);
        assertThat(undone).hasSameSizeAs(begun);
        assertThat(journal.entries()).extracting(Journal.Entry::event).contains("fill-disk is given up");
    }

    @Test
    void whatIsFeltTheSecondTimeIsCountedOnce() throws Exception {
        Performance performance = perform(planted(true, lasting -> begun.size() > 1));
        assertThat(performance.felt()).isEqualTo(Map.of(FaultKind.FILL_DISK, 1L));
        assertThat(performance.givenUp()).isEmpty();
        assertThat(begun).hasSize(2);
    }

    /** The one that was hit may be the one of whom nobody wants anything, as of a master that stands by. */
    @Test
    void anotherIsHitTheSecondTime() throws Exception {
        Performance performance = perform(planted(true, lasting -> begun.size() > 1));
        assertThat(performance.felt()).isNotEmpty();
        assertThat(rolls).containsExactly(0, 1);
    }

    @Test
    void whatCannotBeBegunIsTriedForTwoMinutesThenGivenUp() throws Exception {
        Performance performance = perform(planted(false, lasting -> true));
        assertThat(performance.felt()).isEmpty();
        assertThat(performance.givenUp()).isEqualTo(Map.of(FaultKind.FILL_DISK, 1L));
        assertThat(performance.onsets()).isEmpty();
        assertThat(begun.get(begun.size() - 1) - begun.get(0)).isBetween(110_000L, 130_000L);
    }

    @Test
    void whatIsLateIsLeftOutIfItsKindWasFelt() throws Exception {
        Performance performance = new Performance(
                new EmptyStage(scheduler, new Tally(), journal),
                kind -> planted(true, lasting -> kind != FaultKind.FILL_DISK || lasting >= 12_000));
        performance.run(new Plan(List.of(
                new Strike(FaultKind.TCP_CUT, 500, 1_000, 0),
                new Strike(FaultKind.FILL_DISK, 3_000, 1_000, 0),
                new Strike(FaultKind.KILL_DATANODE, 5_000, 1_000, 0),
                new Strike(FaultKind.TCP_CUT, 8_000, 1_000, 0))));
        assertThat(performance.felt())
                .isEqualTo(Map.of(FaultKind.TCP_CUT, 1L, FaultKind.FILL_DISK, 1L, FaultKind.KILL_DATANODE, 1L));
        assertThat(performance.givenUp()).isEmpty();
        assertThat(journal.entries())
                .extracting(Journal.Entry::event)
                .contains("tcp-cut is left out: there is no time for it any more");
    }

    /** What is needed to undo it another fault has paused, which must end before. */
    @Test
    void whatCannotBeUndoneYetIsTriedAgainWhileOthersEnd() throws Exception {
        cannotUndo = now -> now < 90_000;
        Performance performance = new Performance(
                new EmptyStage(scheduler, new Tally(), journal),
                kind -> kind == FaultKind.FILL_DISK ? planted(true, lasting -> true) : Pausing.NOTHING);
        performance.run(new Plan(List.of(
                new Strike(FaultKind.FILL_DISK, 500, 1_000, 0), new Strike(FaultKind.PAUSE_ZOOKEEPER, 600, 5_000, 0))));
        assertThat(performance.felt()).isEqualTo(Map.of(FaultKind.FILL_DISK, 1L, FaultKind.PAUSE_ZOOKEEPER, 1L));
        assertThat(undone).hasSize(1);
        assertThat(undone.get(0)).isBetween(90_000L, 92_000L);
        List<String> events =
                journal.entries().stream().map(Journal.Entry::event).toList();
        assertThat(events.indexOf("pause-zookeeper is over")).isLessThan(events.indexOf("fill-disk is over"));
    }

    @Test
    void whatCannotBeUndoneInTwoMinutesFails() {
        cannotUndo = now -> true;
        assertThatThrownBy(() -> perform(planted(true, lasting -> true))).hasMessageContaining("cannot be undone");
        assertThat(scheduler.millis).isBetween(Performance.TRY_MILLIS, Performance.TRY_MILLIS + 10_000);
    }

    @Test
    void aQuotaThatWasNotSetIsNotLifted() throws Exception {
        // There is no cluster here that could be asked for it.
        new FullDisk().end(new EmptyStage(scheduler, new Tally(), journal));
        assertThat(FaultKind.FILL_DISK.meets(FaultKind.PAUSE_NAME_NODE)).isTrue();
        assertThat(FaultKind.FILL_DISK.meets(FaultKind.RESTART_NAME_NODE)).isTrue();
    }

    /** Of which nothing has to be undone. */
    private enum Pausing implements Fault {
        NOTHING;

        @Override
        public String begin(Stage stage, Strike strike) {
            return "somebody";
        }

        @Override
        public void end(Stage stage) {}
    }

    private Performance perform(Fault fault) throws IOException, InterruptedException {
        Performance performance = new Performance(new EmptyStage(scheduler, new Tally(), journal), kind -> fault);
        performance.run(new Plan(List.of(new Strike(FaultKind.FILL_DISK, 500, 1_000, 0))));
        return performance;
    }

    private Fault planted(boolean canBegin, LongPredicate isFeltAfter) {
        return new Fault() {
            @Override
            public String begin(Stage stage, Strike strike) throws IOException {
                begun.add(scheduler.millis);
                rolls.add(strike.roll());
                if (!canBegin) {
                    throw new UnavailableException("nobody", Outcome.NOT_APPLIED);
                }
                return "somebody";
            }

            @Override
            public boolean isFelt(Stage stage) {
                return isFeltAfter.test(scheduler.millis - begun.get(begun.size() - 1));
            }

            @Override
            public long patienceMillis() {
                return patienceMillis;
            }

            @Override
            public void end(Stage stage) throws IOException {
                if (cannotUndo.test(scheduler.millis)) {
                    throw new UnavailableException("cannot be undone", Outcome.NOT_APPLIED);
                }
                undone.add(scheduler.millis);
            }
        };
    }

    /** Of one thread, whose pauses are over at once. */
    private static final class LeapingScheduler implements Scheduler {
        private long millis;

        @Override
        public Clock clock() {
            return new Clock() {
                @Override
                public long micros() {
                    return millis * 1_000;
                }

                @Override
                public long nanos() {
                    return millis * 1_000_000;
                }
            };
        }

        @Override
        public void pause(long length) {
            millis += length;
        }

        @Override
        public Worker start(String name, Task task) {
            throw new AssertionError("one thread is enough");
        }

        @Override
        public WorkerPool pool(String name, int workers, int queueBound) {
            throw new AssertionError("one thread is enough");
        }

        @Override
        public <T> T await(CompletableFuture<T> future, long timeoutMillis) {
            throw new AssertionError("one thread is enough");
        }

        @Override
        public <T> Mailbox<T> mailbox(int capacity) {
            throw new AssertionError("one thread is enough");
        }

        @Override
        public void after(long length, Runnable action) {
            throw new AssertionError("one thread is enough");
        }
    }
}
