package bt.master;

import static org.assertj.core.api.Assertions.assertThat;

import bt.metadata.MetadataRow;
import bt.metadata.TabletStates;
import bt.model.TabletId;
import bt.record.Phase;
import bt.record.TabletLocation;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SetbacksTest {
    private static final TabletId TABLET = new TabletId(4, Optional.empty());
    private static final TabletId OTHER = new TabletId(5, Optional.empty());

    private static final long EPOCH = 7;
    private static final TabletLocation ON_SERVER = new TabletLocation(Phase.LOADING, "s", "server:1", EPOCH);

    private final Setbacks setbacks = new Setbacks();
    private long now;
    private long generation;

    private MetadataRow row() {
        return row(TABLET);
    }

    private MetadataRow row(TabletId tablet) {
        return new MetadataRow(tablet, generation, 1, ON_SERVER, TabletStates.empty(Optional.empty()));
    }

    /** Seconds until a tablet that has failed once more may be tried again. */
    private long pauseAfterAFailure() {
        return pauseAfterAFailure(false);
    }

    private long pauseAfterAFailure(boolean passes) {
        generation++;
        MetadataRow row = row();
        long began = now;
        while (!setbacks.mayTryAgain(row, passes, now)) {
            now += TimeUnit.SECONDS.toNanos(1);
        }
        return TimeUnit.NANOSECONDS.toSeconds(now - began);
    }

    @Test
    void anotherServerTriesAtOnceThenThePausesDouble() {
        assertThat(pauseAfterAFailure()).isZero();
        assertThat(pauseAfterAFailure()).isEqualTo(2);
        assertThat(pauseAfterAFailure()).isEqualTo(4);
        for (int i = 0; i < 100; i++) {
            assertThat(pauseAfterAFailure()).isBetween(4L, 30L);
        }
        assertThat(pauseAfterAFailure()).isEqualTo(30);
    }

    @Test
    void whatPassesIsTriedAgainSoon() {
        assertThat(pauseAfterAFailure(true)).isZero();
        for (int i = 0; i < 100; i++) {
            assertThat(pauseAfterAFailure(true)).isBetween(2L, 3L);
        }
        assertThat(pauseAfterAFailure(false)).as("this one does not").isEqualTo(30);
    }

    @Test
    void ofManyThatAreKeptByWhatPassesSomeAreTriedAllTheTime() {
        for (int round = 0; round < 10; round++) {
            generation++;
            for (int i = 0; i < 1_000; i++) {
                boolean unused = setbacks.mayTryAgain(row(new TabletId(10 + i, Optional.empty())), true, now);
            }
        }
        for (int second = 0; second < 10; second++) {
            long tried = 0;
            for (int i = 0; i < 1_000; i++) {
                tried += setbacks.mayTryAgain(row(new TabletId(10 + i, Optional.empty())), true, now) ? 1 : 0;
            }
            assertThat(tried).isBetween(Math.max(0, (second - 3) * 100L), second * 100L);
            now += TimeUnit.SECONDS.toNanos(1);
        }
    }

    @Test
    void aTabletThatWasServedBeginsAnew() {
        for (int i = 0; i < 5; i++) {
            long unused = pauseAfterAFailure();
        }
        setbacks.isServed(TABLET, now);
        assertThat(pauseAfterAFailure()).isZero();
    }

    @Test
    void whenAnotherThatRestedIsServedTheTabletIsTriedAtOnce() {
        rest();
        restOf(OTHER);
        setbacks.isServed(OTHER, now);
        assertThat(setbacks.mayTryAgain(row(), false, now)).isTrue();
    }

    @Test
    void thatTheSecondServerCouldLoadAnotherSaysNothing() {
        rest();
        assertThat(setbacks.mayTryAgain(row(OTHER), false, now)).isTrue();
        setbacks.isServed(OTHER, now);
        assertThat(setbacks.mayTryAgain(row(), false, now)).isFalse();
    }

    /** With servers of two releases those of the earlier one can load none of what the later one has written. */
    @Test
    void onWhichServersItFailedIsKnownUntilItIsServed() {
        rest();
        restOf(OTHER);
        setbacks.isServed(OTHER, now);
        assertThat(setbacks.failures(TABLET, EPOCH)).isEqualTo(5);
        assertThat(setbacks.failures(OTHER, EPOCH)).isZero();

        setbacks.othersLive(Set.of(EPOCH, EPOCH + 1), now);
        assertThat(pauseAfterAFailure()).isZero();
        assertThat(pauseAfterAFailure()).isEqualTo(2);
        assertThat(setbacks.failures(TABLET, EPOCH)).isEqualTo(7);

        setbacks.othersLive(Set.of(EPOCH + 1), now);
        assertThat(setbacks.failures(TABLET, EPOCH)).as("it lives no more").isZero();
    }

    @Test
    void aTabletThatIsGoneIsForgottenAndOneThatRestsIsNot() {
        rest();
        setbacks.forgetGone(now);
        assertThat(setbacks.mayTryAgain(row(), false, now)).isFalse();
        now += TimeUnit.MINUTES.toNanos(11);
        setbacks.forgetGone(now);
        assertThat(pauseAfterAFailure()).as("as if it had never failed").isZero();
    }

    /** The tablet has failed often, and must not be tried now. */
    private void rest() {
        restOf(TABLET);
    }

    private void restOf(TabletId tablet) {
        for (int i = 0; i < 5; i++) {
            generation++;
            boolean unused = setbacks.mayTryAgain(row(tablet), false, now);
        }
        assertThat(setbacks.mayTryAgain(row(tablet), false, now)).isFalse();
    }

    @Test
    void aTabletIsStuckWhileItRestsAndHasFailedForAMinute() {
        while (now < TimeUnit.SECONDS.toNanos(60)) {
            generation++;
            assertThat(setbacks.mayTryAgain(row(), false, now)).isEqualTo(now == 0);
            assertThat(setbacks.isStuck(row(), now)).isFalse();
            long unused = pauseAfterAFailure();
        }
        assertThat(setbacks.isStuck(row(), now)).as("it is time to try again").isFalse();
        generation++;
        assertThat(setbacks.isStuck(row(), now))
                .as("the next load is under way")
                .isFalse();
        assertThat(setbacks.mayTryAgain(row(), false, now)).isFalse();
        assertThat(setbacks.isStuck(row(), now)).isTrue();
        setbacks.forget(TABLET);
        assertThat(setbacks.isStuck(row(), now)).isFalse();
    }
}
