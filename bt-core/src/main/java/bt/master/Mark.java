package bt.master;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import bt.metadata.MetadataKeys;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataSchema;
import bt.metadata.MetadataTable;
import bt.metadata.MetadataTable.SomeRows;
import bt.model.RowRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Goes through METADATA's rows of one table, some at a time, so that of a table of any size no more is in memory. Where they do not
 * follow each other there was a tablet whose needs were not seen: between two pages one may have split, or merged. Then it goes on
 * from the page before, and where that does not help from the first: whoever sees the rows may see some again. One thread.
 */
final class Mark {
    private static final int ATTEMPTS = 5;
    private static final int NEAR_ATTEMPTS = 2;
    private static final long AGAIN_MILLIS = 1_000;

    private final long tableId;
    private final boolean isWhole;
    private final MetadataTable metadata;
    private final Scheduler scheduler;

    /** With {@code isWhole} the rows have to follow each other from the first row of the table to its last without a gap. */
    Mark(long tableId, boolean isWhole, MetadataTable metadata, Scheduler scheduler) {
        this.tableId = tableId;
        this.isWhole = isWhole;
        this.metadata = metadata;
        this.scheduler = scheduler;
    }

    /** Is shown the rows, those that are marked gone too. */
    @FunctionalInterface
    interface Seen {
        void rows(List<MetadataRow> rows) throws BigtableException, InterruptedException;
    }

    /** Where a page begins, and the tablets that end there. */
    private record Place(Bytes key, RowChain tablets) {}

    /** UNAVAILABLE when rows do not follow each other for seconds, or cannot be read. Whether there is any. */
    boolean run(Seen seen) throws BigtableException, InterruptedException {
        RowRange keys = MetadataKeys.tables(tableId, tableId);
        Place first = new Place(keys.start(), RowChain.START);
        Place before = first;
        Place at = first;
        Bytes stuck = keys.start();
        int attempt = 1;
        boolean hasRows = false;
        while (true) {
            SomeRows page = page(at, keys);
            Step step = step(at.tablets(), page);
            if (step.gap().isEmpty()) {
                seen.rows(page.rows());
                hasRows |= !page.rows().isEmpty();
                if (page.next().isEmpty()) {
                    return hasRows;
                }
                if (at.key().compareTo(stuck) >= 0) {
                    attempt = 1;
                }
                before = at;
                at = new Place(page.next().get(), step.tablets());
            } else if (attempt == ATTEMPTS) {
                throw new UnavailableException(
                        "METADATA rows of table " + tableId + ": " + step.gap().get());
            } else {
                stuck = at.key().compareTo(stuck) > 0 ? at.key() : stuck;
                at = attempt <= NEAR_ATTEMPTS ? before : first;
                before = first;
                attempt++;
                scheduler.pause(AGAIN_MILLIS);
            }
        }
    }

    private SomeRows page(Place at, RowRange keys) throws BigtableException, InterruptedException {
        SomeRows page = metadata.scanSome(new RowRange(at.key(), keys.end()));
        if (tableId != MetadataSchema.ROOT.tableId() || !at.key().equals(keys.start())) {
            return page;
        }
        List<MetadataRow> rows = new ArrayList<>();
        metadata.read(MetadataSchema.ROOT).ifPresent(rows::add);
        rows.addAll(page.rows());
        return new SomeRows(rows, page.next());
    }

    /** The tablets up to a page's end, or what is wrong with them. */
    private record Step(RowChain tablets, Optional<String> gap) {}

    private Step step(RowChain before, SomeRows page) throws BigtableException {
        RowChain tablets = before;
        if (!isWhole) {
            return new Step(tablets, Optional.empty());
        }
        for (MetadataRow row : page.rows()) {
            Optional<RowChain> with = tablets.then(row);
            if (with.isEmpty()) {
                return new Step(tablets, Optional.of(row.id() + " does not begin where the tablet before ends"));
            }
            tablets = with.get();
        }
        boolean isShort = page.next().isEmpty() && !tablets.hasLast();
        return new Step(tablets, isShort ? Optional.of("there is no last tablet") : Optional.empty());
    }
}
