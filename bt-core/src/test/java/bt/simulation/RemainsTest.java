package bt.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.OverloadedException;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.model.Cell;
import bt.model.ColumnKey;
import bt.model.Counter;
import bt.model.Row;
import bt.testing.SimScheduler;
import bt.testing.history.Additions.Total;
import bt.testing.history.Anomaly;
import bt.testing.history.Operation;
import bt.testing.history.Operation.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Each of the checks is shown what it is there for. */
class RemainsTest {
    private static final String ACCOUNT = Layout.ACCOUNTS.get(0);
    private static final String FIRST = "a" + Layout.NODE + "1";
    private static final String SECOND = "k" + Layout.NODE + "2";

    @Test
    void anAccountWithTheNewestVersionsOfBothColumnsIsAsItShouldBe() {
        Row row = account(List.of("c|10", "b|20", "a|30"), List.of("c|990|", "b|980|"));
        assertThat(kinds(row, row)).isEmpty();
    }

    @Test
    void columnsOfTwoWritesAreTorn() {
        Row row = account(List.of("c|10", "b|20", "a|30"), List.of("b|980|", "a|970|"));
        assertThat(kinds(row, row)).containsExactly("torn row", "version limit");
    }

    @Test
    void aSumThatHasChangedIsFound() {
        Row row = account(List.of("c|10", "b|20", "a|30"), List.of("c|991|", "b|980|"));
        assertThat(kinds(row, row)).containsExactly("sum");
    }

    @Test
    void oneVersionTooManyOrTooFewIsFound() {
        List<String> left = List.of("c|10", "b|20", "a|30");
        Row tooMany = account(left, List.of("c|990|", "b|980|", "a|970|"));
        Row tooFew = account(left, List.of("c|990|"));
        assertThat(kinds(tooMany, tooMany)).containsExactly("version limit");
        assertThat(kinds(tooFew, tooFew)).containsExactly("version limit");
    }

    @Test
    void aScanThatSeesSomethingElseThanAReadIsFound() {
        Row row = account(List.of("c|10", "b|20", "a|30"), List.of("c|990|", "b|980|"));
        Row older = account(List.of("b|20", "a|30"), List.of("b|980|", "a|970|"));
        assertThat(kinds(row, older)).containsExactly("scan");
    }

    @Test
    void whatWasAcknowledgedAndIsNotThereIsLost() {
        Row row = account(List.of("b|20", "a|30"), List.of("b|980|", "a|970|"));
        assertThat(kinds(row, row)).containsExactly("lost");
    }

    @Test
    void aVersionAtAnotherTimestampThanItsWriterWasToldIsFound() {
        Journal journal = new Journal(new SimScheduler(1));
        journal.told(write("c", 5), 100);
        journal.told(write("b", 3), 98);
        Row row = account(List.of("c|10", "b|20", "a|30"), List.of("c|990|", "b|980|"));
        journal.saw(row);
        assertThat(journal.anomalies()).extracting(Anomaly::checker).containsExactly("timestamp", "timestamp");
    }

    @Test
    void aNodeAtAnotherTimestampThanItsWriterWasToldIsFound() {
        Journal journal = new Journal(new SimScheduler(1));
        journal.told(Operation.write("client", FIRST, Optional.of(""), 1), 101);
        journal.saw(node(FIRST, ""));
        assertThat(journal.anomalies()).extracting(Anomaly::checker).containsExactly("timestamp");
    }

    @Test
    void aDeletionThatIsAnsweredATimestampIsFound() {
        Journal journal = new Journal(new SimScheduler(1));
        Operation deletion = Operation.write("client", ACCOUNT, Optional.empty(), 1);
        journal.told(deletion, 0);
        assertThat(journal.anomalies()).isEmpty();
        journal.told(deletion, 1);
        assertThat(journal.anomalies()).extracting(Anomaly::checker).containsExactly("timestamp");
    }

    @Test
    void anAnswerThatNoTroubleExplainsIsFound() {
        Journal journal = new Journal(new SimScheduler(1));
        journal.failed(ACCOUNT, new UnavailableException("late", Outcome.UNKNOWN));
        journal.failed(ACCOUNT, new OverloadedException("too much", 10));
        assertThat(journal.anomalies()).isEmpty();
        journal.failed(ACCOUNT, new CorruptionException("a block"));
        journal.failed(ACCOUNT, new RejectedException("a row", "ask for another"));
        assertThat(journal.anomalies()).extracting(Anomaly::checker).containsExactly("error", "error");
    }

    @Test
    void aListWithAllItsNodesIsAsItShouldBe() {
        assertThat(Remains.nodes(Map.of(FIRST, node(FIRST, ""), SECOND, node(SECOND, FIRST)), Set.of(FIRST, SECOND)))
                .isEmpty();
    }

    @Test
    void aNodeThatIsNamedOrWasAcknowledgedAndIsNotThereIsFound() {
        assertThat(Remains.nodes(Map.of(SECOND, node(SECOND, FIRST)), Set.of(FIRST, SECOND)))
                .extracting(Anomaly::checker)
                .containsExactly("linked list", "lost");
    }

    @Test
    void aNodeThatWasWrittenTwiceIsFound() {
        assertThat(Remains.nodes(Map.of(FIRST, node(FIRST, "", "")), Set.of(FIRST)))
                .extracting(Anomaly::checker)
                .containsExactly("applied twice");
    }

    @Test
    void aScanThatShowsARowTwiceOrTooLateIsFound() {
        assertThat(Remains.order(List.of("a", "b", "c"))).isEmpty();
        assertThat(Remains.order(List.of("a", "b", "b"))).hasSize(1);
        assertThat(Remains.order(List.of("b", "a", "c"))).hasSize(1);
    }

    @Test
    void whatACounterHoldsTellsWhatWasAddedEachTime() {
        String counter = Layout.COUNTERS.get(0);
        List<Cell> cells = new ArrayList<>();
        for (long sum : List.of(12L, 5L)) {
            cells.add(new Cell(Bytes.utf8(counter), Layout.COUNT, sum, Counter.encode(sum)));
        }
        cells.addAll(cells(counter, Layout.TAGS, List.of("a.1;b.1;", "a.1;")));
        Row row = new Row(Bytes.utf8(counter), cells);
        assertThat(Layout.sums(row)).containsExactly(new Total("5", 5), new Total("7", 12));
        assertThat(Layout.lengths(row)).containsExactly(new Total("a.1;", 4), new Total("b.1;", 8));
    }

    private static List<String> kinds(Row read, Row scanned) {
        List<Operation> written = List.of(write("a", 1), write("b", 3), write("c", 5));
        return Remains.account(ACCOUNT, written, Optional.of(read), Optional.of(scanned)).stream()
                .map(Anomaly::checker)
                .toList();
    }

    private static Operation write(String tag, long begun) {
        return Operation.write("client", ACCOUNT, Optional.of(tag), begun).answered(Result.DONE, begun + 1);
    }

    /** The values of both columns, the newest first. */
    private static Row account(List<String> left, List<String> right) {
        List<Cell> cells = new ArrayList<>(cells(ACCOUNT, Layout.LEFT, left));
        cells.addAll(cells(ACCOUNT, Layout.RIGHT, right));
        return new Row(Bytes.utf8(ACCOUNT), cells);
    }

    private static Row node(String key, String... named) {
        return new Row(Bytes.utf8(key), cells(key, Layout.LINK, List.of(named)));
    }

    private static List<Cell> cells(String row, ColumnKey column, List<String> values) {
        List<Cell> cells = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            cells.add(new Cell(Bytes.utf8(row), column, 100 - i, Bytes.utf8(values.get(i))));
        }
        return cells;
    }
}
