package bt.client;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Deadline;
import bt.metadata.MetadataRow;
import bt.metadata.TabletPlace;
import bt.metadata.Whereabouts;
import bt.model.TableSchema;
import bt.model.TabletId;
import java.util.Optional;

/** METADATA's row of the tablet that holds a row of a table: found as whoever reads the row finds it, and read as it is now. */
final class TabletHolder {
    private final Session session;
    private final TableSchema table;

    TabletHolder(Session session, TableSchema table) {
        this.session = session;
        this.table = table;
    }

    /** Empty where METADATA shows none, as it may for a moment while that tablet is split or merged. */
    Optional<MetadataRow> of(Bytes row, Deadline deadline) throws BigtableException, InterruptedException {
        Optional<TabletPlace> known = session.locator().cached(table.id(), row);
        Optional<MetadataRow> found = known.isPresent() ? read(known.get().id(), row) : Optional.empty();
        if (found.isPresent()) {
            return found;
        }
        known.ifPresent(session.locator()::forget);
        Whereabouts seen = session.locator().look(table.id(), row, deadline);
        return seen.tablet().isPresent() ? read(seen.tablet().get(), row) : Optional.empty();
    }

    /** Empty where the tablet does not hold the row any more. */
    private Optional<MetadataRow> read(TabletId tablet, Bytes row) throws BigtableException, InterruptedException {
        return session.tablet(table, tablet)
                .filter(read -> !read.gone() && read.range().contains(row));
    }
}
