package bt.tablet;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.model.RowRange;
import bt.sstable.ReadWork;
import java.util.Optional;

/** Reads the ranges of a walk, one after the other, into one page. One thread. */
final class RangeReader {
    private final Reading reading;
    private final PageFilter filter;
    private final PageReader page;

    RangeReader(Reading reading, PageFilter filter, PageReader page) {
        this.reading = reading;
        this.filter = filter;
        this.page = page;
    }

    /** The page, if it ends before the range does. */
    Optional<Page> read(RowRange range, boolean reversed) throws BigtableException {
        if (reversed && !range.isOneRow()) {
            return readDownwards(range);
        }
        // There may be thousands of rows, of none of which there is a change to look at.
        ReadWork.ofThread().step();
        Optional<Page> ended = page.endedBefore(range.start(), filter);
        return ended.isPresent() ? ended : page.read(filter.begin(reading.versions(range)));
    }

    private Optional<Page> readDownwards(RowRange range) throws BigtableException {
        RowsDownwards rows = reading.downwards(range);
        for (Optional<Bytes> row = rows.last(); row.isPresent(); row = rows.before(row.get())) {
            Optional<Page> ended = page.endedBefore(row.get(), filter);
            if (ended.isEmpty()) {
                ended = page.read(filter.begin(reading.versionsAt(row.get(), rows)));
            }
            if (ended.isPresent()) {
                return ended;
            }
        }
        return Optional.empty();
    }
}
