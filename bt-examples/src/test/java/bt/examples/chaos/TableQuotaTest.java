package bt.examples.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Scheduler;
import bt.testing.SeededTest;
import bt.testing.SimScheduler;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;

/** Attempts follow each other at once, and the operator of one lifts the quota when that of the next has set it. */
class TableQuotaTest {
    private static final Duration LONG = Duration.ofMinutes(10);

    private static final int LOOK_MILLIS = 100;
    private static final int LATE_MILLIS = 2_000;

    private int attempts;
    private OptionalLong quota = OptionalLong.empty();

    @SeededTest(runs = 10)
    void theSecondAttemptLasts(RandomGenerator random) {
        SimScheduler scheduler = new SimScheduler(random.nextLong());
        Tally tally = new Tally();
        scheduler.run(LONG, () -> quota.isEmpty(), () -> {
            Journal journal = new Journal(scheduler.clock(), new PrintStream(OutputStream.nullOutputStream()));
            Performance performance = new Performance(new EmptyStage(scheduler, tally, journal), kind -> {
                attempts++;
                return new TableQuota((stage, bytes) -> set(bytes));
            });
            Scheduler.Worker writer = scheduler.start("writer", () -> write(scheduler, tally));
            run(performance);
            writer.interrupt();
            while (quota.isPresent()) {
                scheduler.pause(LOOK_MILLIS);
            }
            // One that began before it was lifted, and one when all have heard.
            assertThat(tally.mayBeRejected(scheduler.clock().nanos())).isTrue();
            assertThat(tally.mayBeRejected(scheduler.clock().nanos() + 2 * QuotaTime.HEAR_NANOS))
                    .isFalse();
            assertThat(performance.felt()).isEqualTo(Map.of(FaultKind.REACH_QUOTA, 1L));
            assertThat(attempts).isEqualTo(2);
        });
        assertThat(quota).isEmpty();
    }

    private static void run(Performance performance) throws InterruptedException {
        try {
            // The first is given up, and the second is late.
            performance.run(new Plan(List.of(
                    new Strike(FaultKind.REACH_QUOTA, 0, 1_000, 0),
                    new Strike(FaultKind.REACH_QUOTA, 1_000, 1_000, 0))));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private boolean set(OptionalLong bytes) {
        quota = bytes;
        return true;
    }

    /** Is refused when the quota has stood for two seconds of an attempt, for servers hear of it late; but not in the first attempt. */
    private void write(Scheduler scheduler, Tally tally) throws InterruptedException {
        int attempt = 1;
        int stoodMillis = 0;
        while (true) {
            scheduler.pause(LOOK_MILLIS);
            stoodMillis = quota.isPresent() && attempt == attempts ? stoodMillis + LOOK_MILLIS : 0;
            attempt = attempts;
            if (attempt > 1 && stoodMillis >= LATE_MILLIS) {
                tally.rejected();
            }
        }
    }
}
