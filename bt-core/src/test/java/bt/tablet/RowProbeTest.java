package bt.tablet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.model.CellKey;
import bt.model.ColumnKey;
import bt.model.FilterText;
import bt.model.RowMutation;
import bt.model.RowRange;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RowProbeTest {
    private static final Bytes ROW = Bytes.utf8("wide");
    private static final int CELLS = 256;
    private static final int KEY_BYTES = new CellKey(ROW, 1, Optional.of(qualifier(0)), 1, 1, CellKey.Kind.PUT)
            .encode()
            .length();

    private final TabletFixture fixture;

    RowProbeTest() throws BigtableException {
        fixture = TabletFixture.ofOneFamily();
    }

    /** Values of zeros, which take no room in files. */
    @Test
    void aConditionLooksAtSoManyBytesOfARowAndNoMore() throws BigtableException {
        int value = (int) (RowProbe.MAX_BYTES / CELLS) - KEY_BYTES;
        for (int cell = 0; cell < CELLS; cell++) {
            write(cell, value);
            if (cell % 32 == 31) {
                fixture.flush();
            }
        }
        String condition = "if(value=absent, all, first(1))";
        assertThat(read(condition)).isEqualTo(1);
        write(CELLS - 1, value + 1);
        assertThatThrownBy(() -> read("if(value=absent, all, first(1))"))
                .isInstanceOf(RejectedException.class)
                .hasMessageStartingWith("table web row wide: a condition has looked at")
                .hasMessageContaining("name families or columns in the condition");
        assertThat(read("if(qualifier=q000 & value=absent, all, first(1))")).isEqualTo(1);
    }

    private int read(String filter) throws BigtableException {
        return fixture.tablet
                .read(ReadSpec.of(RowRange.row(ROW), FilterText.parse(filter)))
                .cells()
                .size();
    }

    /** In the place of what the column had. */
    private void write(int cell, int bytes) throws BigtableException {
        fixture.apply(RowMutation.of(ROW)
                .set(new ColumnKey("f", qualifier(cell)), 1, Bytes.wrap(new byte[bytes]))
                .build());
    }

    private static Bytes qualifier(int cell) {
        return Bytes.utf8(String.format("q%03d", cell));
    }
}
