package bt.client;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.OverloadedException;
import bt.testing.SimScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
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

    /** Of a page that has come, and whether it is still there for who wants it. */
    private AheadPage come(long parts) {
        AheadPage page = asked(parts).orElseThrow();
        room.comeAhead(page, parts * PART);
        return page;
    }

    private Optional<AheadPage> asked(long parts) {
        AheadPage page = new AheadPage();
        page.asked(new CompletableFuture<>());
        return room.enterAhead(page, parts * PART) ? Optional.of(page) : Optional.empty();
    }

    @Test
    void aCallForWhichPagesWouldNotBeEnoughTakesNoneAway() {
        run(() -> {
            assertThat(enters(60)).isTrue();
            AheadPage first = come(10);
            AheadPage second = come(20);
            assertThat(enters(41)).isFalse();
            assertThat(enters(20)).isTrue();
            // The first made way for it, and was enough.
            assertThat(first.take()).isEmpty();
            assertThat(second.take()).isPresent();
        });
    }

    @Test
    void aPageMakesWayForItsPlaceAndItsBytesAndOneThatHasNotComeDoesNot() {
        run(() -> {
            for (int i = 0; i < 3; i++) {
                assertThat(enters(10)).isTrue();
            }
            AheadPage come = come(20);
            assertThat(asked(20)).as("on its way").isPresent();
            assertThat(enters(51)).as("one part more than it has room for").isFalse();
            assertThat(enters(50)).isTrue();
            assertThat(come.take()).isEmpty();
            assertThat(enters(0)).as("a sixth").isFalse();
        });
    }

    @Test
    void aCallThatIsAloneFitsAndAllPagesMakeWay() {
        run(() -> {
            AheadPage first = come(40);
            AheadPage second = come(40);
            assertThat(enters(300)).isTrue();
            assertThat(first.take()).isEmpty();
            assertThat(second.take()).isEmpty();
            leave(1, 300);
            assertThat(asked(100)).as("nothing else is counted").isPresent();
        });
    }

    /** Scanners that nobody asks any more would end what others read ahead. */
    @Test
    void pagesThatNobodyTookForTenSecondsMakeWayForOthersAndYoungerOnesDoNot() {
        run(() -> {
            AheadPage first = come(40);
            pause(5_000);
            AheadPage second = come(50);
            assertThat(asked(30)).as("ahead, while the others are young").isEmpty();
            pause(4_990);
            assertThat(asked(30)).isEmpty();
            pause(10);
            assertThat(asked(60)).as("the first is not enough").isEmpty();
            assertThat(asked(50)).isPresent();
            assertThat(first.take()).isEmpty();
            assertThat(second.take()).isPresent();
        });
    }

    @Test
    void asManyPagesThatNobodyTakesAsThereMayBeCallsMakeWayOneByOne() {
        run(() -> {
            List<AheadPage> pages = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                pages.add(come(1));
            }
            assertThat(asked(1)).isEmpty();
            pause(10_000);
            for (int i = 0; i < 5; i++) {
                assertThat(asked(1)).isPresent();
                assertThat(pages.get(i).take()).isEmpty();
            }
            assertThat(asked(1)).as("none of these has come").isEmpty();
            assertThat(enters(1)).isFalse();
        });
    }
}
