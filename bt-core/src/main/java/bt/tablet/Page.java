package bt.tablet;

import bt.base.Bytes;
import bt.model.Cell;
import java.util.List;
import java.util.Optional;

/**
 * Cells in order. Next is the edge of what is left of the walk ({@link bt.model.RowWalk#from}), which may lie in another
 * tablet, and is empty when that is nothing; resume is present when the page ended inside the first row that is left. Seen
 * counts what the filter was shown.
 */
public record Page(List<Cell> cells, Optional<Bytes> next, Optional<Resume> resume, long rowsSeen, long cellsSeen) {
    private static final Page NOTHING = new Page(List.of(), Optional.empty(), Optional.empty(), 0, 0);

    public Page {
        cells = List.copyOf(cells);
    }

    /** Of rows in which there was nothing to see. */
    static Page nothing(Optional<Bytes> next) {
        return next.isEmpty() ? NOTHING : new Page(List.of(), next, Optional.empty(), 0, 0);
    }
}
