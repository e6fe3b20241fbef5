package bt.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import bt.testing.Asked;
import bt.testing.CrashPoint;
import bt.testing.LogWork;
import bt.testing.Mishap;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Whole clusters under all kinds of trouble, each from one of the {@link Seeds}. */
class ClusterSimTest {
    private static final int SEEDS = 100;
    private static final int SHOWN = 5;

    private final Counts counts = new Counts();

    @Test
    void nothingIsLostTornDoubledOrStaleWhateverHappens() throws InterruptedException {
        LongStream seeds = Seeds.of(Asked.ofJvm(), SEEDS);
        AtomicInteger lived = new AtomicInteger();
        List<Campaign.Failure> failures = Campaign.run(seeds, seed -> {
            Optional<Throwable> wrong = live(seed);
            lived.incrementAndGet();
            return wrong;
        });
        System.out.println("what happened: " + counts.line(Trouble.class));
        System.out.println("what went wrong: " + counts.line(Mishap.class));
        System.out.println("crashes at a step: " + counts.line(CrashPoint.class));
        System.out.println("what logs were for: " + counts.line(LogWork.class));
        LastLine.write("simulated " + lived + " seeds, " + failures.size() + " failed");
        AssertionError all = new AssertionError(failures.size() + " of " + lived + " seeds failed: "
                + failures.stream().map(Campaign.Failure::seed).toList());
        failures.stream().limit(SHOWN).forEach(failure -> {
            System.out.println(failure.cause().getMessage());
            all.addSuppressed(failure.cause());
        });
        assertThat(lived.get()).as("seeds that were simulated").isPositive();
        if (!failures.isEmpty()) {
            throw all;
        }
        if (lived.get() >= SEEDS) {
            assertThat(counts.missing(Trouble.class))
                    .as("troubles that never came")
                    .isEmpty();
            assertThat(counts.missing(Mishap.class)).as("what never went wrong").isEmpty();
            assertThat(counts.missing(LogWork.class)).as("what no log was for").isEmpty();
            List<CrashPoint> missing = counts.missing(CrashPoint.class);
            assertThat(missing)
                    .as("steps before and after which nobody crashed")
                    .noneMatch(point -> point != point.after() && missing.contains(point.after()));
            Set<CrashPoint> after = EnumSet.allOf(CrashPoint.class);
            after.removeIf(point -> point != point.after() || missing.contains(point));
            assertThat(after)
                    .extracting(CrashPoint::memory)
                    .as("what remembered a step after which somebody crashed")
                    .contains(CrashPoint.Memory.values());
        }
    }

    private Optional<Throwable> live(long seed) {
        try {
            counts.add(Life.live(seed, Script.drawn(seed)).counts());
            return Optional.empty();
        } catch (RuntimeException | Error wrong) {
            // Of any kind: the last line counts it.
            return Optional.of(wrong);
        }
    }
}
