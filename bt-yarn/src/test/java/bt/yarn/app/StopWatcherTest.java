package bt.yarn.app;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.UnavailableException;
import bt.testing.MemoryLocks;
import bt.testing.SimScheduler;
import bt.yarn.spec.ClusterFiles;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class StopWatcherTest {
    private static final String APPLICATION = "application_1_1";
    private static final int LONGEST_SECONDS = 3_000;

    private final SimScheduler scheduler = new SimScheduler(1);
    private final ClusterFiles files = new ClusterFiles(new MemoryLocks());

    /** After how many seconds the stop was overdue. */
    private long overdueAfter(StopWatcher.Stopping stopping) {
        long[] seconds = {0};
        scheduler.run(Duration.ofHours(2), () -> {
            try {
                StopWatcher watcher = new StopWatcher(files, APPLICATION, stopping, scheduler);
                assertThat(watcher.look()).isEqualTo(Stop.NOT_ASKED);
                files.askToStop(APPLICATION);
                assertThat(watcher.look()).isEqualTo(Stop.ASKED);
                watcher.tellMaster();
                while (watcher.look() != Stop.OVERDUE && seconds[0] < LONGEST_SECONDS) {
                    scheduler.pause(1_000);
                    seconds[0]++;
                }
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
        return seconds[0];
    }

    /** A client waits for an answer for a minute, and asks again. */
    @Test
    void theMasterIsWaitedForAsLongAsItIsAtIt() {
        long begun = scheduler.clock().nanos();
        long overdue = overdueAfter(getsOn -> {
            pause(60_000);
            if (scheduler.clock().nanos() - begun < Duration.ofMinutes(20).toNanos()) {
                throw new UnavailableException("no answer");
            }
        });
        assertThat(overdue).isBetween(1_200L + 90, 1_200L + 90 + 65);
    }

    /** The client does not return while fewer and fewer tablets are left. */
    @Test
    void soItIsWhileItIsKnownToGetOn() {
        assertThat(overdueAfter(getsOn -> {
                    for (int look = 0; look < 20; look++) {
                        pause(60_000);
                        getsOn.run();
                    }
                    pause(600_000);
                }))
                .isBetween(1_200L + 89, 1_200L + 91);
    }

    @Test
    void whatIsLeftWhenItIsDoneHasAMinuteAndAHalf() {
        assertThat(overdueAfter(getsOn -> pause(7_000))).isBetween(97L, 98L);
    }

    @Test
    void soHasWhatIsThereWithoutAMaster() {
        assertThat(overdueAfter(getsOn -> {
                    pause(60_000);
                    throw new UnavailableException("no master", Outcome.NOT_APPLIED);
                }))
                .isBetween(90L, 91L);
    }

    private void pause(long millis) {
        try {
            scheduler.pause(millis);
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }
}
