package bt.mapreduce.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.Bytes;
import bt.base.UnavailableException;
import bt.client.TabletInfo;
import bt.model.RowRange;
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
        List<TableSplit> splits = Splits.of("t", TABLETS, RowRange.ALL);
        assertThat(splits).extracting(TableSplit::range).containsExactlyElementsOf(ranges(TABLETS));
        assertThat(splits).extracting(TableSplit::getLength).containsExactly(100L, 0L, 300L);
        assertThat(splits.get(0).getLocations()).containsExactly("one");
        assertThat(splits.get(1).getLocations()).isEmpty();
    }

    @Test
    void splitsAreClippedToTheScan() throws UnavailableException {
        RowRange range = RowRange.of(Bytes.utf8("h"), Bytes.utf8("q"));
        assertThat(Splits.of("t", TABLETS, range))
                .extracting(TableSplit::range)
                .containsExactly(
                        RowRange.of(Bytes.utf8("h"), Bytes.utf8("p")), RowRange.of(Bytes.utf8("p"), Bytes.utf8("q")));
    }

    @Test
    void tabletsThatTheScanOnlyTouchesAreLeftOut() throws UnavailableException {
        RowRange range = RowRange.of(Bytes.utf8("g"), Bytes.utf8("p"));
        assertThat(Splits.of("t", TABLETS, range)).extracting(TableSplit::range).containsExactly(range);
    }

    @Test
    void anEmptyScanHasNoSplits() throws UnavailableException {
        assertThat(Splits.of("t", TABLETS, RowRange.of(Bytes.utf8("h"), Bytes.utf8("h"))))
                .isEmpty();
    }

    @Test
    void aGapBetweenTabletsIsNotReadOver() {
        List<TabletInfo> gap = List.of(TABLETS.get(0), TABLETS.get(2));
        assertThatThrownBy(() -> Splits.of("t", gap, RowRange.ALL))
                .isInstanceOf(UnavailableException.class)
                .hasMessage("table t: its tablets do not meet at row g, they are changing: submit the job again");
    }

    @Test
    void aMissingLastTabletIsNotReadOver() {
        assertThatThrownBy(() -> Splits.of("t", TABLETS.subList(0, 2), RowRange.ALL))
                .isInstanceOf(UnavailableException.class);
        assertThatThrownBy(() -> Splits.of("t", List.of(), RowRange.ALL)).isInstanceOf(UnavailableException.class);
    }

    private static List<RowRange> ranges(List<TabletInfo> tablets) {
        return tablets.stream().map(TabletInfo::range).toList();
    }
}
