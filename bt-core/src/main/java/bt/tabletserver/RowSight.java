package bt.tabletserver;

import static bt.base.Check.checkGiven;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.model.Cell;
import bt.model.ColumnKey;
import bt.model.Filter;
import bt.model.Limits;
import bt.model.RowRange;
import bt.model.RowWalk;
import bt.protocol.RowDigest;
import bt.sstable.ReadWork;
import bt.tablet.Effort;
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

/** What a write wants to know of its row before it decides, all of which together may take so much. One thread. */
final class RowSight {
    private static final PageLimits ONE_CELL = new PageLimits(1, 1, 1);

    private final Tablet tablet;
    private final Bytes row;
    private final Effort effort;

    RowSight(Tablet tablet, Bytes row) {
        this.tablet = tablet;
        this.row = row;
        this.effort = tablet.effort();
    }

    /**
     * Of each of the columns that has one, the newest version, whoever asks: that he may is known. IllegalArgumentException
     * where all together are larger than a mutation may be.
     */
    Map<ColumnKey, Cell> newest(List<ColumnKey> columns) throws BigtableException {
        Map<ColumnKey, Cell> newest = new HashMap<>();
        long bytes = 0;
        for (List<ColumnKey> some : Filter.Columns.portions(columns)) {
            Filter filter = new Filter.Chain(List.of(new Filter.Columns(some), new Filter.Latest(1)));
            Look look = new Look(filter, Shown.ALL);
            // Of one column no older version is come past, which may be large, and many.
            PageLimits limits = some.size() == 1 ? ONE_CELL : PageLimits.DEFAULT;
            Optional<Page> page = Optional.of(read(look, limits, Optional.empty()));
            int found = 0;
            while (page.isPresent()) {
                long before = bytes;
                for (Cell cell : page.get().cells()) {
                    newest.put(cell.column(), cell);
                    bytes += cell.bytes();
                    found++;
                }
                checkGiven(
                        bytes <= Limits.MUTATION_BYTES,
                        "what the row holds of the columns that are to be added to has more than %d bytes",
                        "split the mutation",
                        Limits.MUTATION_BYTES);
                // It stays until there is what is made of it, which is as large.
                ReadWork.ofThread().keep(2 * (bytes - before));
                page = found == some.size() ? Optional.empty() : after(page.get(), look);
            }
        }
        return newest;
    }

    /** Whether the filter lets a cell pass of the families that it is shown. */
    boolean passes(Filter filter, Shown shown) throws BigtableException {
        Look look = new Look(filter, shown);
        Optional<Page> page = Optional.of(read(look, ONE_CELL, Optional.empty()));
        while (page.isPresent()) {
            if (!page.get().cells().isEmpty()) {
                return true;
            }
            page = after(page.get(), look);
        }
        return false;
    }

    /** Stands for all cells that the filter lets pass of the families that it is shown. */
    Bytes digest(Filter filter, Shown shown) throws BigtableException {
        RowDigest digest = new RowDigest();
        Look look = new Look(filter, shown);
        Optional<Page> page = Optional.of(read(look, PageLimits.DEFAULT, Optional.empty()));
        while (page.isPresent()) {
            digest.add(page.get().cells());
            page = after(page.get(), look);
        }
        return digest.digest();
    }

    private Optional<Page> after(Page page, Look look) throws BigtableException {
        if (page.resume().isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(read(look, PageLimits.DEFAULT, page.resume()));
        } catch (RejectedException refused) {
            if (!tablet.isForgotten(page.resume().get())) {
                throw refused;
            }
            // Nothing that the client did wrong: what the row's first page saw was compacted away in between.
            throw new UnavailableException(refused.getMessage(), Outcome.NOT_APPLIED).causedBy(refused);
        }
    }

    private Page read(Look look, PageLimits limits, Optional<Resume> resume) throws BigtableException {
        ReadSpec spec = new ReadSpec(RowWalk.over(RowRange.row(row)), look.filter(), limits, resume, look.shown());
        return tablet.read(spec, effort);
    }

    /** A filter, and the families that it is shown. */
    private record Look(Filter filter, Shown shown) {}
}
