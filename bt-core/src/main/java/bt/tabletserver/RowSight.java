package bt.tabletserver;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.model.Cell;
import bt.model.ColumnKey;
import bt.model.Filter;
import bt.model.RowRange;
import bt.model.RowWalk;
import bt.protocol.RowDigest;
import bt.tablet.Page;
import bt.tablet.PageLimits;
import bt.tablet.ReadSpec;
import bt.tablet.Resume;
import bt.tablet.Shown;
import bt.tablet.Tablet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a write wants to know of its row before it decides. One thread. */
final class RowSight {
    private static final PageLimits ONE_CELL = new PageLimits(1, 1, 1);

    private final Tablet tablet;
    private final Bytes row;
    private final Shown shown;

    /** Of some families. */
    RowSight(Tablet tablet, Bytes row, Shown shown) {
        this.tablet = tablet;
        this.row = row;
        this.shown = shown;
    }

    /** Of each of the columns that has one, the newest version. */
    Map<ColumnKey, Cell> newest(List<ColumnKey> columns) throws BigtableException {
        Filter filter = new Filter.Chain(List.of(new Filter.Columns(columns), new Filter.Latest(1)));
        Map<ColumnKey, Cell> newest = new HashMap<>();
        Optional<Page> page = Optional.of(read(filter, PageLimits.DEFAULT, Optional.empty()));
        while (page.isPresent()) {
            page.get().cells().forEach(cell -> newest.put(cell.column(), cell));
            page = after(page.get(), filter);
        }
        return newest;
    }

    /** Whether the filter lets a cell pass. */
    boolean passes(Filter filter) throws BigtableException {
        Optional<Page> page = Optional.of(read(filter, ONE_CELL, Optional.empty()));
        while (page.isPresent()) {
            if (!page.get().cells().isEmpty()) {
                return true;
            }
            page = after(page.get(), filter);
        }
        return false;
    }

    /** Stands for all cells that the filter lets pass. */
    Bytes digest(Filter filter) throws BigtableException {
        RowDigest digest = new RowDigest();
        Optional<Page> page = Optional.of(read(filter, PageLimits.DEFAULT, Optional.empty()));
        while (page.isPresent()) {
            digest.add(page.get().cells());
            page = after(page.get(), filter);
        }
        return digest.digest();
    }

    private Optional<Page> after(Page page, Filter filter) throws BigtableException {
        if (page.resume().isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(read(filter, PageLimits.DEFAULT, page.resume()));
        } catch (RejectedException overtaken) {
            // Nothing that the client did wrong: what the row's first page saw was compacted away in between.
            throw new UnavailableException(overtaken.getMessage(), Outcome.NOT_APPLIED).causedBy(overtaken);
        }
    }

    private Page read(Filter filter, PageLimits limits, Optional<Resume> resume) throws BigtableException {
        return tablet.read(new ReadSpec(RowWalk.over(RowRange.row(row)), filter, limits, resume, shown));
    }
}
