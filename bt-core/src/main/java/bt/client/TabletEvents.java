package bt.client;

import bt.base.BigtableException;
import bt.metadata.MetadataKeys;
import bt.metadata.MetadataSchema;
import bt.model.Cell;
import bt.model.Filter;
import bt.model.Row;
import bt.model.RowRange;
import bt.model.TabletId;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Queue;

/**
 * What happened to tablets, one tablet after the other in the order of METADATA's rows, of each the oldest first; of those too
 * that are gone, while METADATA keeps their rows. Read as it is taken: no more than a page of METADATA and one tablet's events are in memory.
 * One thread. Section 5.1 of the paper has such a log.
 */
public final class TabletEvents implements AutoCloseable {
    private final Scanner rows;
    private final Queue<TabletEvent> ofOne = new ArrayDeque<>();

    /** With some that come first. */
    TabletEvents(Session session, List<TabletEvent> first, RowRange metadataRows) {
        ofOne.addAll(first);
        Scan scan = Scan.of(metadataRows).filtered(new Filter.Families(List.of(MetadataSchema.EVENTS)));
        rows = new Scanner(session, MetadataSchema.SCHEMA, scan);
    }

    /** Empty at the end. UNAVAILABLE or OVERLOADED as a {@link Scanner} is; CORRUPTION where an event is damaged. */
    public Optional<TabletEvent> next() throws BigtableException {
        while (ofOne.isEmpty()) {
            Optional<Row> row = rows.next();
            if (row.isEmpty()) {
                return Optional.empty();
            }
            TabletId id = MetadataKeys.decode(row.get().key());
            row.get().cells().stream()
                    .sorted(Comparator.comparingLong(Cell::timestamp))
                    .map(cell ->
                            new TabletEvent(id, cell.timestamp(), cell.value().toUtf8()))
                    .forEach(ofOne::add);
        }
        return Optional.of(ofOne.remove());
    }

    @Override
    public void close() {
        rows.close();
    }
}
