package bt.testing.history;

import static org.assertj.core.api.Assertions.assertThat;

import bt.testing.history.Additions.Seen;
import bt.testing.history.Additions.Total;
import bt.testing.history.Operation.Result;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Violations of each kind are found, and nothing else is. */
class AdditionsTest {
    private static final Addition FIVE = Addition.of("c", "5", 1).done(5, 2);
    private static final Addition SEVEN = Addition.of("d", "7", 3).done(12, 4);
    private static final List<Total> BOTH = List.of(new Total("5", 5), new Total("7", 12));

    @Test
    void eachOnceWithTheTotalThatItWasToldIsRight() {
        assertThat(kinds(List.of(FIVE, SEVEN), BOTH)).isEmpty();
    }

    @Test
    void aLostAdditionIsFound() {
        assertThat(kinds(List.of(FIVE, SEVEN), List.of(new Total("5", 5)))).containsExactly("lost");
    }

    @Test
    void oneThatWasEvaluatedOnAnOlderTotalIsFound() {
        // 7 was added to nothing, when there was 5: the step from 5 to 7 is nobody's.
        assertThat(kinds(List.of(FIVE, SEVEN), List.of(new Total("5", 5), new Total("2", 7))))
                .containsExactly("invented", "lost");
    }

    @Test
    void aDoubledAdditionIsFound() {
        List<Total> totals = List.of(new Total("5", 5), new Total("7", 12), new Total("5", 17));
        assertThat(kinds(List.of(FIVE, SEVEN), totals)).containsExactly("added twice");
    }

    @Test
    void aWrongAnswerIsFound() {
        Addition wrong = Addition.of("d", "7", 3).done(7, 4);
        assertThat(kinds(List.of(FIVE, wrong), BOTH)).containsExactly("wrong total");
    }

    @Test
    void oneOfWhichNobodyKnowsIsThereOnceOrNot() {
        Addition unknown = Addition.of("d", "7", 3);
        assertThat(kinds(List.of(FIVE, unknown), BOTH)).isEmpty();
        assertThat(kinds(List.of(FIVE, unknown), List.of(new Total("5", 5)))).isEmpty();
        List<Total> twice = List.of(new Total("5", 5), new Total("7", 12), new Total("7", 19));
        assertThat(kinds(List.of(FIVE, unknown), twice)).containsExactly("added twice");
    }

    @Test
    void whatFailedForCertainAndIsThereIsFound() {
        Addition failed = Addition.of("d", "7", 3).failed(Result.FAILED, 4);
        assertThat(kinds(List.of(FIVE, failed), BOTH)).containsExactly("refused and done");
        assertThat(kinds(List.of(FIVE, failed), List.of(new Total("5", 5)))).isEmpty();
    }

    @Test
    void whatCameLaterAndWasAddedBeforeIsFound() {
        Addition early = Addition.of("c", "5", 1).done(12, 2);
        Addition late = Addition.of("d", "7", 3).done(7, 4);
        assertThat(kinds(List.of(early, late), List.of(new Total("7", 7), new Total("5", 12))))
                .containsExactly("order");
    }

    @Test
    void aReadSeesATotalOfItsTime() {
        assertThat(reads(0, 0, 1)).isEmpty();
        assertThat(reads(5, 1, 4)).isEmpty();
        assertThat(reads(12, 3, 9)).isEmpty();
        assertThat(reads(6, 1, 9)).containsExactly("invented");
        assertThat(reads(5, 5, 6)).containsExactly("stale");
        assertThat(reads(0, 3, 6)).containsExactly("stale");
        assertThat(reads(12, 1, 2)).containsExactly("order");
    }

    /** Of an addition of which nobody knows only who saw it can tell that it was there. */
    @Test
    void whatWasSeenByOneIsNotUnseenByALaterOne() {
        Addition unknown = Addition.of("d", "7", 3);
        Seen first = new Seen("e", 12, 5, 6);
        assertThat(kinds(Additions.check("r", List.of(FIVE, unknown), List.of(first, new Seen("f", 5, 8, 9)), BOTH)))
                .containsExactly("stale");
        assertThat(kinds(Additions.check("r", List.of(FIVE, unknown), List.of(first, new Seen("f", 5, 6, 9)), BOTH)))
                .isEmpty();
    }

    private static List<String> reads(long sum, long begun, long ended) {
        return kinds(Additions.check("r", List.of(FIVE, SEVEN), List.of(new Seen("e", sum, begun, ended)), BOTH));
    }

    private static List<String> kinds(List<Addition> additions, List<Total> totals) {
        return kinds(Additions.check("r", additions, List.of(), totals));
    }

    private static List<String> kinds(List<Anomaly> anomalies) {
        return anomalies.stream().map(Anomaly::checker).toList();
    }
}
