package bt.client;

import bt.model.Cell;
import java.util.List;
import java.util.Optional;

/**
 * Cells in order, possibly none though there are more; and where the next page begins, empty when this was the last.
 * The paper has no such thing.
 */
public record CellPage(List<Cell> cells, Optional<CellPosition> next) {
    public CellPage {
        cells = List.copyOf(cells);
    }
}
