package bt.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import bt.model.TabletId;
import bt.record.ServerStatus;
import bt.testing.ManualClock;
import bt.testing.Statuses;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a server tells of its tablets to whoever is not its master, and what that one makes of it. */
class ToldListsTest {
    private static final long EPOCH = 7;
    private static final int NAME_BYTES = 10;

    /** What an answer counts for a report. */
    private static final int REPORT_BYTES = 120 + NAME_BYTES;

    private final ManualClock clock = new ManualClock(1);
    private final ToldLists lists = new ToldLists(clock, 2 * REPORT_BYTES);

    @Test
    void aListThatHasRoomInOneAnswerIsToldInOneAndNotKept() throws Exception {
        ServerStatus answer = begin(EPOCH, tablets(0, 2));
        assertThat(Statuses.names(answer)).isEqualTo(tablets(0, 2));
        assertThat(answer.getListGoesOn()).isFalse();
        assertThat(answer.getList()).isEqualTo(-1);
        assertThat(lists.goOn(answer.getList(), status(EPOCH))).isFalse();
        assertThat(new WholeStatus().hear(answer)).containsSame(answer);
    }

    /** Half of it has gone meanwhile, and others have come: what is put together is not a part of either. */
    @Test
    void allPartsAreOfTheListAsItWasWhenItBegan() throws Exception {
        WholeStatus told = new WholeStatus();
        assertThat(told.question().getHeardList()).isEqualTo(TabletListing.NOTHING_HEARD);
        assertThat(told.hear(begin(EPOCH, tablets(0, 5)))).isEmpty();
        ServerStatus unused = begin(EPOCH, tablets(3, 9));
        assertThat(told.hear(goOn(told))).isEmpty();
        ServerStatus whole = told.hear(goOn(told)).orElseThrow();
        assertThat(Statuses.names(whole)).isEqualTo(tablets(0, 5));
        assertThat(whole.getListGoesOn()).isFalse();
    }

    @Test
    void whoeverBeganTogetherHasThePartsEach() throws Exception {
        ServerStatus first = begin(EPOCH, tablets(0, 3));
        assertThat(first.getTablets()).hasSize(2);
        for (int asker = 0; asker < 3; asker++) {
            ServerStatus last = status(EPOCH);
            assertThat(lists.goOn(first.getList(), last)).isTrue();
            assertThat(Statuses.names(last)).isEqualTo(tablets(2, 3));
        }
    }

    @Test
    void whatNobodyAsksForIsForgottenAndSoIsWhatIsAskedForLeast() {
        ServerStatus first = begin(EPOCH, tablets(0, 3));
        List<ServerStatus> others = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            others.add(begin(EPOCH, tablets(0, 3)));
        }
        assertThat(lists.goOn(first.getList(), status(EPOCH))).isTrue();
        others.add(begin(EPOCH, tablets(0, 3)));
        assertThat(lists.goOn(first.getList(), status(EPOCH)))
                .as("it was asked for last")
                .isTrue();
        assertThat(lists.goOn(others.get(0).getList(), status(EPOCH))).isFalse();

        clock.set(Duration.ofSeconds(20).toNanos() / 1_000);
        assertThat(lists.goOn(first.getList(), status(EPOCH))).isTrue();
        clock.set(Duration.ofSeconds(40).toNanos() / 1_000);
        assertThat(lists.goOn(first.getList(), status(EPOCH))).isTrue();
        assertThat(lists.goOn(others.get(3).getList(), status(EPOCH))).isFalse();
    }

    @Test
    void whoseListIsForgottenBeginsAnew() throws Exception {
        WholeStatus told = new WholeStatus();
        assertThat(told.hear(begin(EPOCH, tablets(0, 5)))).isEmpty();
        assertThat(told.hear(begin(EPOCH, tablets(5, 8)))).isEmpty();
        assertThat(Statuses.names(told.hear(goOn(told)).orElseThrow())).isEqualTo(tablets(5, 8));

        WholeStatus small = new WholeStatus();
        assertThat(small.hear(begin(EPOCH, tablets(0, 5)))).isEmpty();
        assertThat(Statuses.names(small.hear(begin(EPOCH, tablets(8, 9))).orElseThrow()))
                .isEqualTo(tablets(8, 9));
    }

    /** Whose numbers may be the same. */
    @Test
    void aNewTenantOfTheAddressDoesNotGoOnWithTheListOfTheOneBefore() throws Exception {
        WholeStatus told = new WholeStatus();
        assertThat(told.hear(begin(EPOCH, tablets(0, 3)))).isEmpty();
        ServerStatus others = status(EPOCH + 1);
        assertThat(lists.goOn(told.question().getHeardList(), others)).isTrue();
        assertThat(told.hear(others)).isEmpty();
        assertThat(told.question().getHeardList()).isEqualTo(TabletListing.NOTHING_HEARD);
        assertThat(told.hear(begin(EPOCH + 1, tablets(0, 3)))).isEmpty();
        ServerStatus last = status(EPOCH + 1);
        assertThat(lists.goOn(told.question().getHeardList(), last)).isTrue();
        assertThat(Statuses.names(told.hear(last).orElseThrow())).isEqualTo(tablets(0, 3));
    }

    private ServerStatus begin(long epoch, List<TabletId> tablets) {
        ServerStatus answer =
                Statuses.of(epoch, tablets.stream().map(Statuses::report).toList());
        lists.begin(answer);
        return answer;
    }

    private ServerStatus goOn(WholeStatus told) {
        ServerStatus answer = status(EPOCH);
        assertThat(lists.goOn(told.question().getHeardList(), answer)).isTrue();
        return answer;
    }

    private static ServerStatus status(long epoch) {
        return Statuses.of(epoch, List.of());
    }

    private static List<TabletId> tablets(int from, int to) {
        return Statuses.tablets(from, to, NAME_BYTES);
    }
}
