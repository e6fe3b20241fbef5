package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReturningTest {
    private final Returning returning = new Returning();

    @Test
    void aSmallBatchWaitsForThoseWhoWereAnswered() {
        assertThat(returning.wanted(3, 4)).isEqualTo(7);
        assertThat(returning.wanted(0, 1)).isEqualTo(1);
    }

    @Test
    void aBatchThatIsLargeEnoughWaitsForNobody() {
        assertThat(returning.wanted(8, 100)).isEqualTo(Returning.ENOUGH);
        assertThat(returning.wanted(Returning.ENOUGH, 100)).isEqualTo(Returning.ENOUGH);
        assertThat(returning.wanted(5_000, 100)).isEqualTo(5_000);
    }

    @Test
    void thoseWhoDoNotComeAreWaitedForMoreAndMoreSeldom() {
        assertThat(waits(1_000, 1)).isLessThan(25);
    }

    @Test
    void whoComesIsWaitedForEachTime() {
        assertThat(waits(1_000, 7)).isEqualTo(1_000);
        assertThat(waits(1_000, 8)).isEqualTo(1_000);
    }

    @Test
    void whoComesAgainIsWaitedForAgain() {
        int unused = waits(1_000, 1);
        int seldom = waits(100, 8);
        assertThat(seldom).isGreaterThan(100 - (1 << 6));
        assertThat(waits(100, 8)).isEqualTo(100);
    }

    @Test
    void itTakesAsLongAsAFlushWithinBounds() {
        assertThat(Returning.micros(0)).isEqualTo(50);
        assertThat(Returning.micros(300)).isEqualTo(300);
        assertThat(Returning.micros(2_000_000)).isEqualTo(1_000);
    }

    /** In how many of so many batches, each of one while seven were answered before it, of whom so many are there in the end. */
    private int waits(int batches, int atTheEnd) {
        int waits = 0;
        for (int i = 0; i < batches; i++) {
            int wanted = returning.wanted(1, 7);
            if (wanted > 1) {
                waits++;
                returning.came(atTheEnd, wanted);
            }
        }
        return waits;
    }
}
