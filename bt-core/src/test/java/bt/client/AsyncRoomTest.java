package bt.client;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.OverloadedException;
import bt.testing.SimScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AsyncRoomTest {
    /** A hundred of them are the room. */
    private static final long PART = 11_000;

    private final SimScheduler scheduler = new SimScheduler(1);
    private final AsyncRoom room = new AsyncRoom(
            scheduler, ClientOptions.DEFAULT.async(5, 100 * PART).operationTimeout(Duration.ofSeconds(20)));
    private final List<String> seen = new ArrayList<>();

    private void run(Runnable visits) {
        scheduler.run(Duration.ofMinutes(10), visits::run);
    }

    private boolean enters(long parts) {
        return room.enter(parts * PART).isEmpty();
    }

    /** A call grows as soon as it may: seen is its name, or how long it has waited in vain. */
    private void grow(long number, long parts) {
        scheduler.start("call-" + number, () -> {
            try {
                room.awaitMore(number, parts * PART);
                seen.add("call-" + number);
            } catch (OverloadedException full) {
                seen.add("call-" + number + " gives up");
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
        pause(10);
    }

    private void leave(long number, long parts) {
        room.leave(number, parts * PART);
        pause(10);
    }

    private void pause(long millis) {
        try {
            scheduler.pause(millis);
        } catch (InterruptedException ended) {
            throw new AssertionError(ended);
        }
    }

    @Test
    void noCallBeginsBeforeOneThatWaitsToGrow() {
        run(() -> {
            assertThat(enters(50)).isTrue();
            assertThat(enters(20)).isTrue();
            assertThat(enters(10)).isTrue();
            grow(1, 1);
            grow(2, 30);
            assertThat(seen).containsExactly("call-1");
            // There is room for it, and so there always would be for one more.
            assertThat(room.enter(5 * PART)).hasValueSatisfying(full -> assertThat(full)
                    .hasMessageContaining("of this client: 3 with")
                    .hasMessageContaining("and 1 of them wait for more"));
            leave(3, 10);
            assertThat(enters(5)).isFalse();
            leave(1, 51);
            assertThat(seen).containsExactly("call-1", "call-2");
            assertThat(enters(5)).isTrue();
        });
    }

    @Test
    void thoseThatWaitAreServedInTheOrderInWhichTheyCame() {
        run(() -> {
            for (int i = 0; i < 5; i++) {
                assertThat(enters(18)).isTrue();
            }
            grow(1, 1);
            grow(2, 40);
            grow(3, 5);
            // The first that waits does not go on, so neither does one who wants less.
            assertThat(seen).containsExactly("call-1");
            leave(4, 18);
            assertThat(seen).containsExactly("call-1");
            leave(5, 18);
            assertThat(seen).containsExactly("call-1", "call-2", "call-3");
        });
    }

    @Test
    void whoGivesUpHoldsUpNobody() {
        run(() -> {
            assertThat(enters(50)).isTrue();
            assertThat(enters(30)).isTrue();
            assertThat(enters(10)).isTrue();
            grow(1, 1);
            grow(2, 60);
            pause(10_000);
            grow(3, 5);
            assertThat(seen).containsExactly("call-1");
            pause(10_500);
            assertThat(seen).containsExactly("call-1", "call-2 gives up", "call-3");
            assertThat(enters(4)).isTrue();
        });
    }
}
