package bt.client;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.metadata.MetadataKeys;
import bt.metadata.MetadataRow;
import bt.model.RowRange;
import bt.model.TableSchema;
import bt.model.TabletId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Where METADATA keeps the events of a table's tablets. */
final class TabletHistory {
    private final Session session;
    private final TableSchema table;

    TabletHistory(Session session, TableSchema table) {
        this.session = session;
        this.table = table;
    }

    /** Of all tablets. */
    TabletEvents all() {
        return new TabletEvents(session, MetadataKeys.tables(table.id(), table.id()));
    }

    /** Of the tablet that holds the row now. */
    List<TabletEvent> of(Bytes row) throws BigtableException {
        List<MetadataRow> tablets = Session.uninterrupted(
                "table " + table.name(), BigtableException.Outcome.NOT_APPLIED, () -> session.metadata()
                        .scan(table.id(), table.id()));
        Optional<TabletId> holder = tablets.stream()
                .filter(tablet -> tablet.range().contains(row))
                .map(MetadataRow::id)
                .findFirst();
        return holder.isEmpty() ? List.of() : of(holder.get());
    }

    private List<TabletEvent> of(TabletId tablet) throws BigtableException {
        List<TabletEvent> all = new ArrayList<>();
        try (TabletEvents events = new TabletEvents(session, RowRange.row(MetadataKeys.of(tablet)))) {
            for (Optional<TabletEvent> event = events.next(); event.isPresent(); event = events.next()) {
                all.add(event.get());
            }
        }
        return all;
    }
}
