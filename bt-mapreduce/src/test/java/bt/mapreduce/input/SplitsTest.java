package bt.mapreduce.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.Bytes;
import bt.base.UnavailableException;
import bt.client.TabletInfo;
import bt.model.RowRange;
import bt.model.RowSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SplitsTest {
    private static final List<TabletInfo> TABLETS = List.of(
            new TabletInfo(RowRange.of(Bytes.EMPTY, Bytes.utf8("g")), Optional.of("one:1"), 100),
            new TabletInfo(RowRange.of(Bytes.utf8("g"), Bytes.utf8("p")), Optional.empty(), 0),
            new TabletInfo(RowRange.from(Bytes.utf8("p")), Optional.of("two:2"), 300));

    @Test
    void everyTabletIsASplitOfItsLengthAtItsHost() throws UnavailableException {
        List<TableSplit> splits = Splits.of("t", TABLETS, RowSet.ALL);
        assertThat(splits).extracting(TableSplit::range).containsExactlyElementsOf(ranges(TABLETS));
        assertThat(splits).extracting(TableSplit::getLength).containsExactly(100L, 0L, 300L);
        assertThat(splits.get(0).getLocations()).containsExactly("one");
        assertThat(splits.get(1).getLocations()).isEmpty();
    }

    @Test
    void splitsAreClippedToTheScan() throws UnavailableException {
        RowRange range = RowRange.of(Bytes.utf8("h"), Bytes.utf8("q"));
        assertThat(Splits.of("t", TABLETS, RowSet.of(range)))
                .extracting(TableSplit::range)
                .containsExactly(
                        RowRange.of(Bytes.utf8("h"), Bytes.utf8("p")), RowRange.of(Bytes.utf8("p"), Bytes.utf8("q")));
    }

    @Test
    void tabletsThatTheScanOnlyTouchesAreLeftOut() throws UnavailableException {
        RowRange range = RowRange.of(Bytes.utf8("g"), Bytes.utf8("p"));
        assertThat(Splits.of("t", TABLETS, RowSet.of(range)))
                .extracting(TableSplit::range)
                .containsExactly(range);
    }

    @Test
    void ofASetOfRowsEachSplitHasItsPartAlone() throws UnavailableException {
        RowRange over = RowRange.of(Bytes.utf8("f"), Bytes.utf8("h"));
        RowSet rows = RowSet.of(row("a"), row("c"), over, row("z"));
        assertThat(Splits.of("t", TABLETS, rows))
                .extracting(TableSplit::rows)
                .containsExactly(
                        RowSet.of(row("a"), row("c"), RowRange.of(Bytes.utf8("f"), Bytes.utf8("g"))),
                        RowSet.of(RowRange.of(Bytes.utf8("g"), Bytes.utf8("h"))),
                        RowSet.of(row("z")));
        assertThat(Splits.of("t", TABLETS, rows).get(0).range())
                .isEqualTo(RowRange.of(Bytes.utf8("a"), Bytes.utf8("g")));
    }

    @Test
    void anEmptyScanHasNoSplits() throws UnavailableException {
        assertThat(Splits.of("t", TABLETS, RowSet.NONE)).isEmpty();
    }

    @Test
    void aGapBetweenTabletsIsNotReadOver() {
        List<TabletInfo> gap = List.of(TABLETS.get(0), TABLETS.get(2));
        assertThatThrownBy(() -> Splits.of("t", gap, RowSet.ALL))
                .isInstanceOf(UnavailableException.class)
                .hasMessage("table t: its tablets do not meet at row g, they are changing: submit the job again");
    }

    @Test
    void aMissingLastTabletIsNotReadOver() {
        assertThatThrownBy(() -> Splits.of("t", TABLETS.subList(0, 2), RowSet.ALL))
                .isInstanceOf(UnavailableException.class);
        assertThatThrownBy(() -> Splits.of("t", List.of(), RowSet.ALL)).isInstanceOf(UnavailableException.class);
    }

    private static RowRange row(String key) {
        return RowRange.row(Bytes.utf8(key));
    }

    private static List<RowRange> ranges(List<TabletInfo> tablets) {
        return tablets.stream().map(TabletInfo::range).toList();
    }
}
