package bt.testing;

import bt.base.Bytes;
import bt.model.TabletId;
import java.util.Optional;

/**
 * A change of METADATA that was made: of which tablet, with the rows it has from then on, and who did what.
 *
 * @param previousEndRow the tablet's rows come after it
 */
public record TabletEvent(long nanos, TabletId tablet, Optional<Bytes> previousEndRow, String what) {
    /** Whether the row, if it is of the tablet's table, is of the tablet then. */
    public boolean holds(Bytes row) {
        return previousEndRow.map(end -> row.compareTo(end) > 0).orElse(true)
                && tablet.endRow().map(end -> row.compareTo(end) <= 0).orElse(true);
    }

    @Override
    public String toString() {
        return "tablet " + tablet + " after "
                + previousEndRow.map(Bytes::toString).orElse("nothing") + ": " + what;
    }
}
