package bt.client;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.metadata.MetadataKeys;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataSchema;
import bt.model.RowRange;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.protocol.NamedRows;
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
    TabletEvents all() throws BigtableException {
        List<TabletEvent> first = table.id() == TableSchema.METADATA_ID ? ofRoot() : List.of();
        return new TabletEvents(session, first, MetadataKeys.tables(table.id(), table.id()));
    }

    /** Of the tablet that holds the row now. */
    List<TabletEvent> of(Bytes row) throws BigtableException {
        NamedRows.check(table, row);
        String subject = "table " + table.name();
        Optional<MetadataRow> holder = Session.uninterrupted(
                subject, Outcome.NOT_APPLIED, () -> new TabletHolder(session, table).of(row, session.adminDeadline()));
        return holder.isEmpty() ? List.of() : of(holder.get().id());
    }

    private List<TabletEvent> of(TabletId tablet) throws BigtableException {
        if (tablet.equals(MetadataSchema.ROOT)) {
            return ofRoot();
        }
        List<TabletEvent> all = new ArrayList<>();
        try (TabletEvents events = new TabletEvents(session, List.of(), RowRange.row(MetadataKeys.of(tablet)))) {
            for (Optional<TabletEvent> event = events.next(); event.isPresent(); event = events.next()) {
                all.add(event.get());
            }
        }
        return all;
    }

    /** The lock service has them, with the tablet's row. */
    private List<TabletEvent> ofRoot() throws BigtableException {
        return session.metadata().rootEvents().stream()
                .map(event -> new TabletEvent(MetadataSchema.ROOT, event.getMicros(), event.getWhat()))
                .toList();
    }
}
