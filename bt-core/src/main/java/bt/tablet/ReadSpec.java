package bt.tablet;

import bt.model.Filter;
import bt.model.RowRange;
import bt.model.RowWalk;
import java.util.Optional;

/** What one page of a read asks for. A walk that is resumed begins with the row that the last page ended in. */
public record ReadSpec(RowWalk walk, Filter filter, PageLimits limits, Optional<Resume> resume, Shown shown) {
    /** Of all families. */
    public ReadSpec(RowWalk walk, Filter filter, PageLimits limits, Optional<Resume> resume) {
        this(walk, filter, limits, resume, Shown.ALL);
    }

    /** Of one range, upwards. */
    public ReadSpec(RowRange range, Filter filter, PageLimits limits, Optional<Resume> resume) {
        this(RowWalk.over(range), filter, limits, resume);
    }

    public static ReadSpec of(RowRange range, Filter filter) {
        return new ReadSpec(range, filter, PageLimits.DEFAULT, Optional.empty());
    }
}
