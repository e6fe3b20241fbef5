package bt.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.Bytes;
import java.util.List;
import org.junit.jupiter.api.Test;

class RowMutationTest {
    private static final ColumnKey COLUMN = ColumnKey.of("f", "q");

    @Test
    void anIncrementHasItsColumnForItself() {
        List<Change> others = List.of(
                new Change.SetCell(COLUMN, 1, Bytes.EMPTY),
                new Change.DeleteRow(),
                new Change.DeleteFamily("f"),
                new Change.DeleteColumn(COLUMN),
                new Change.DeleteVersions(COLUMN, 1, 2),
                new Change.DeleteVersion(COLUMN, 1));
        for (Change other : others) {
            RowMutation.Builder both = RowMutation.of("r").add(other).increment(COLUMN, 1);
            assertThatThrownBy(both::build)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("row r: " + other.kind()
                            + " of a column that the same mutation increments or appends to: use a"
                            + " mutation of its own");
        }
        assertThatThrownBy(() -> RowMutation.of("r")
                        .append(COLUMN, Bytes.EMPTY)
                        .increment(COLUMN, 1)
                        .build())
                .hasMessage(
                        "row r: column f:q is incremented or appended to twice in one mutation: add the two up, or use two"
                                + " mutations");
    }

    @Test
    void aLongColumnThatIsChangedTwiceIsNamedInBrief() {
        ColumnKey column = new ColumnKey("f", Bytes.wrap(new byte[1 << 20]));
        assertThatThrownBy(() -> RowMutation.of("r")
                        .increment(column, 1)
                        .increment(column, 1)
                        .build())
                .message()
                .contains("…(1048576 bytes) is incremented or appended to twice")
                .hasSizeLessThan(600);
    }

    @Test
    void changesOfOtherColumnsMayStandBesideIt() {
        assertThatCode(() -> RowMutation.of("r")
                        .increment(COLUMN, 1)
                        .increment(ColumnKey.of("f", "other"), 1)
                        .set("f", "third", "v")
                        .deleteFamily("g")
                        .build())
                .doesNotThrowAnyException();
    }

    /** Who bounds what he holds or sends counts these: a deletion has a key as long as that of a cell. */
    @Test
    void bytesAreThoseOfAllQualifiersAndValues() {
        ColumnKey column = new ColumnKey("f", Bytes.wrap(new byte[1_000]));
        Bytes value = Bytes.wrap(new byte[50]);
        List<Change> changes = List.of(
                new Change.DeleteColumn(column),
                new Change.DeleteVersions(column, 1, 2),
                new Change.DeleteVersion(column, 1),
                new Change.Increment(column, 1));
        for (Change change : changes) {
            assertThat(RowMutation.of("row").add(change).build().bytes())
                    .as("%s", change.kind())
                    .isEqualTo(1_003);
        }
        assertThat(RowMutation.of("row").append(column, value).build().bytes()).isEqualTo(1_053);
        assertThat(RowMutation.of("row")
                        .set(column, value)
                        .deleteFamily("f")
                        .deleteRow()
                        .build()
                        .bytes())
                .isEqualTo(1_053);
    }

    @Test
    void aCounterIsEightBytesWithTheHighestFirst() {
        assertThat(Counter.encode(258).toHex()).isEqualTo("0000000000000102");
        for (long count : new long[] {0, 1, -1, 255, Long.MIN_VALUE, Long.MAX_VALUE}) {
            assertThat(Counter.decode(Counter.encode(count))).isEqualTo(count);
        }
        assertThatThrownBy(() -> Counter.decode(Bytes.utf8("four")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a value of 4 bytes is no counter, which has 8: use another column, or delete it first");
    }
}
