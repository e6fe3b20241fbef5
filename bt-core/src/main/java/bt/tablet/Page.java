package bt.tablet;

import bt.base.Bytes;
import bt.model.Cell;
import java.util.List;
import java.util.Optional;

/**
 * Cells in order. Next is the first row that the following page must look at, which may lie in another tablet, and is
 * empty when the range is done; resume is present when the page ended inside that row. Seen counts what the filter was
 * shown.
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
