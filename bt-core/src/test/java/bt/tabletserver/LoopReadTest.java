package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;

import bt.sstable.ReadWork;
import bt.tabletserver.LoopRead.HandOver;
import bt.testing.ManualClock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

class LoopReadTest {
    private static final long START = -1_000_000_000L;

    /** On a thread of its own, for an allowance is a thread's. */
    private static int reads(int most, long nanosBetween, int stepsEach) throws Exception {
        FutureTask<Integer> task = new FutureTask<>(() -> {
            ReadWork work = ReadWork.ofThread();
            LoopRead terms = LoopRead.ofThread();
            ManualClock clock = new ManualClock(0);
            for (int i = 0; i < most; i++) {
                clock.set((START + i * nanosBetween) / 1_000);
                if (!terms.begin(work, clock, clock.nanos())) {
                    return i;
                }
                try {
                    for (int step = 0; step < stepsEach; step++) {
                        work.step();
                    }
                } catch (HandOver tooMuch) {
                    return i;
                } finally {
                    terms.end(work);
                }
            }
            return most;
        });
        new Thread(task).start();
        return task.get();
    }

    @Test
    void rowsOfFiftySmallCellsAtFullSpeedAreNeverTooMuch() throws Exception {
        assertThat(reads(100_000, 8_000, 50)).isEqualTo(100_000);
    }

    @Test
    void largeRowsAgainAndAgainAre() throws Exception {
        assertThat(reads(100_000, 100_000, 900)).isBetween(25, 40);
        assertThat(reads(100_000, 1_000_000, 900)).isEqualTo(100_000);
    }

    @Test
    void oneReadEndsBeforeItHasGoneThroughMuch() throws Exception {
        assertThat(reads(1, 0, 1_100)).isZero();
        assertThat(reads(1, 0, 900)).isEqualTo(1);
    }

    @Test
    void aSlowDiskIsLeftAloneForASecond() throws Exception {
        FutureTask<List<Boolean>> task = new FutureTask<>(() -> {
            LoopRead terms = LoopRead.ofThread();
            ManualClock clock = new ManualClock(0);
            List<Boolean> may = new ArrayList<>();
            assertThat(terms.begin(ReadWork.ofThread(), clock, clock.nanos())).isTrue();
            for (long tookNanos : new long[] {20_000, 600_000, 20_000}) {
                may.add(terms.mayReadCopies());
                terms.copyTook(tookNanos);
                may.add(terms.mayReadCopies());
                clock.set(clock.micros() + 1_000_000);
            }
            terms.end(ReadWork.ofThread());
            return may;
        });
        new Thread(task).start();
        assertThat(task.get()).containsExactly(true, true, true, false, true, true);
    }

    /** It may stand still, and a loop serves many connections. */
    @Test
    void slowReadsTakeAHundredthOfALoopsTimeAtMost() throws Exception {
        FutureTask<Long> task = new FutureTask<>(() -> {
            LoopRead terms = LoopRead.ofThread();
            ManualClock clock = new ManualClock(0);
            assertThat(terms.begin(ReadWork.ofThread(), clock, clock.nanos())).isTrue();
            long heldMicros = 0;
            long tookMicros = 200_000;
            while (clock.micros() < 600_000_000) {
                if (terms.mayReadCopies()) {
                    clock.set(clock.micros() + tookMicros);
                    heldMicros += tookMicros;
                    terms.copyTook(tookMicros * 1_000);
                }
                clock.set(clock.micros() + 10_000);
            }
            terms.end(ReadWork.ofThread());
            return heldMicros;
        });
        new Thread(task).start();
        assertThat(task.get()).isBetween(5_000_000L, 6_000_000L);
    }
}
