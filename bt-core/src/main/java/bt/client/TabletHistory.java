package bt.client;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.metadata.MetadataKeys;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataSchema;
import bt.model.Cell;
import bt.model.Filter;
import bt.model.Row;
import bt.model.RowRange;
import bt.model.TableSchema;
import bt.model.TabletId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The events of a table's tablets, the oldest first; of those too that are gone, while METADATA keeps their rows. */
final class TabletHistory {
    private final Session session;
    private final TableSchema table;

    TabletHistory(Session session, TableSchema table) {
        this.session = session;
        this.table = table;
    }

    /** All tablets. */
    List<TabletEvent> all() throws BigtableException {
        return events(MetadataKeys.tables(table.id(), table.id()));
    }

    /** The tablet that holds the row now. */
    List<TabletEvent> of(Bytes row) throws BigtableException {
        List<MetadataRow> tablets = Session.uninterrupted(
                "table " + table.name(), BigtableException.Outcome.NOT_APPLIED, () -> session.metadata()
                        .scan(table.id(), table.id()));
        Optional<TabletId> holder = tablets.stream()
                .filter(tablet -> tablet.range().contains(row))
                .map(MetadataRow::id)
                .findFirst();
        return holder.isEmpty() ? List.of() : events(RowRange.row(MetadataKeys.of(holder.get())));
    }

    private List<TabletEvent> events(RowRange rows) throws BigtableException {
        List<TabletEvent> events = new ArrayList<>();
        Scan scan = Scan.of(rows).filtered(new Filter.Families(List.of(MetadataSchema.EVENTS)));
        try (Scanner scanner = new Scanner(session, MetadataSchema.SCHEMA, scan)) {
            for (Optional<Row> row = scanner.next(); row.isPresent(); row = scanner.next()) {
                TabletId id = MetadataKeys.decode(row.get().key());
                for (Cell cell : row.get().cells()) {
                    events.add(
                            new TabletEvent(id, cell.timestamp(), cell.value().toUtf8()));
                }
            }
        }
        events.sort(Comparator.comparingLong(TabletEvent::micros));
        return events;
    }
}
