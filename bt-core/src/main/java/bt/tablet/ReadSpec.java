package bt.tablet;

import bt.model.Filter;
import bt.model.RowRange;
import java.util.Optional;

/** What one page of a read asks for. A range that is resumed begins with the row that the last page ended in. */
public record ReadSpec(RowRange range, Filter filter, PageLimits limits, Optional<Resume> resume) {
    public static ReadSpec of(RowRange range, Filter filter) {
        return new ReadSpec(range, filter, PageLimits.DEFAULT, Optional.empty());
    }
}
