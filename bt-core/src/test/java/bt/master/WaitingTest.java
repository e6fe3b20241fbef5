package bt.master;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WaitingTest {
    private static final long GRACE_MILLIS = 1_000;
    private static final String ONE = "data/4/7/1";
    private static final String TWO = "data/4/7/2";
    private static final String ELSEWHERE = "data/4/8/1";

    private final Waiting waiting = new Waiting(GRACE_MILLIS);

    private void found(long atMillis, Set<String> directories, String... unneeded) {
        waiting.found(directories::contains, Set.of(unneeded), nanos(atMillis), true);
    }

    private long left(String path, long atMillis) {
        return waiting.millis(path, nanos(atMillis));
    }

    private static long nanos(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }

    @Test
    void whatIsFoundAgainWaitsFromTheFirstTimeOn() {
        found(0, Set.of("data/4/7"), ONE);
        found(600, Set.of("data/4/7"), ONE, TWO);
        assertThat(left(ONE, 700)).isEqualTo(300);
        assertThat(left(TWO, 700)).isEqualTo(900);
        assertThat(left(ONE, 1_000)).isZero();
    }

    @Test
    void whatWasNeededMeanwhileWaitsAnew() {
        found(0, Set.of("data/4/7"), ONE, TWO);
        found(100, Set.of("data/4/7"), TWO);
        found(200, Set.of("data/4/7"), ONE, TWO);
        assertThat(left(ONE, 200)).isEqualTo(1_000);
        assertThat(left(TWO, 200)).isEqualTo(800);
        found(300, Set.of("data/4/7"));
        found(400, Set.of("data/4/7"), TWO);
        assertThat(left(TWO, 400)).isEqualTo(1_000);
    }

    @Test
    void directoriesThatWereNotLookedAtWaitOn() {
        found(0, Set.of("data/4/7", "data/4/8"), ONE, ELSEWHERE);
        found(500, Set.of("data/4/7"), ONE);
        assertThat(left(ELSEWHERE, 600)).isEqualTo(400);
    }

    @Test
    void aDryRunRemembersNothingNewAndForgetsWhatIsNeeded() {
        found(0, Set.of("data/4/7"), ONE);
        waiting.found(Set.of("data/4/7")::contains, Set.of(ONE, TWO), nanos(100), false);
        assertThat(left(ONE, 100)).isEqualTo(900);
        assertThat(left(TWO, 200))
                .as("it begins to wait when it is found in earnest")
                .isEqualTo(1_000);
        waiting.found(Set.of("data/4/7")::contains, Set.of(TWO), nanos(300), false);
        assertThat(left(ONE, 300)).isEqualTo(1_000);
    }

    /** Hundreds of thousands wait in a large cluster, and a master has some hundred megabytes. */
    @Test
    void aPathThatWaitsTakesSixteenBytes() {
        Set<String> unneeded = IntStream.range(0, 200_000)
                .mapToObj(i -> "data/4/7/" + (1_000_000 + i))
                .collect(Collectors.toSet());
        List<Waiting> all =
                IntStream.range(0, 10).mapToObj(i -> new Waiting(GRACE_MILLIS)).toList();
        long before = used();
        for (Waiting each : all) {
            each.found(directory -> true, unneeded, 0, true);
        }
        assertThat(used() - before).isLessThan(2L * 10 * 16 * unneeded.size());
        assertThat(all).allSatisfy(each -> assertThat(each.millis("data/4/7/1000007", 0))
                .isEqualTo(GRACE_MILLIS));
    }

    private static long used() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
