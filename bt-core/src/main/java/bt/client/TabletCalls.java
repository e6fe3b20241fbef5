package bt.client;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.Deadline;
import bt.base.UnavailableException;
import bt.metadata.MetadataRow;
import bt.model.TableSchema;
import bt.protocol.Address;
import bt.record.Done;
import bt.record.FlushTable;
import bt.record.Phase;
import bt.record.ServerSizes;
import bt.record.SizesRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** What concerns all tablets of a table. */
final class TabletCalls {
    private final Session session;

    TabletCalls(Session session) {
        this.session = session;
    }

    /** Waits until the chain of a table's tablets is whole and each of them is served. */
    void awaitServing(String name, long tableId) throws BigtableException, InterruptedException {
        session.retry().run("table " + name, deadline -> serving(name, tableId));
    }

    void flush(TableSchema table) throws BigtableException, InterruptedException {
        session.retry().run("table " + table.name(), deadline -> flush(table.id(), servers(table), deadline));
    }

    TableSizes sizes(TableSchema table) throws BigtableException, InterruptedException {
        return session.retry().run("table " + table.name(), deadline -> {
            List<ServerSizes> sizes = new ArrayList<>();
            for (String server : servers(table)) {
                sizes.add(session.calls()
                        .control(Address.parse(server), new SizesRequest(table.id()), ServerSizes.class, deadline));
            }
            return TableSizes.of(table, sizes);
        });
    }

    private Set<String> servers(TableSchema table) throws BigtableException, InterruptedException {
        Set<String> servers = new TreeSet<>();
        for (MetadataRow row : serving(table.name(), table.id())) {
            servers.add(row.location().getAddress());
        }
        return servers;
    }

    private boolean flush(long tableId, Set<String> servers, Deadline deadline)
            throws BigtableException, InterruptedException {
        for (String server : servers) {
            session.calls().control(Address.parse(server), new FlushTable(tableId), Done.class, deadline);
        }
        return true;
    }

    private List<MetadataRow> serving(String name, long tableId) throws BigtableException, InterruptedException {
        List<MetadataRow> rows = session.metadata().scan(tableId, tableId);
        long served = rows.stream()
                .filter(row -> row.location().getPhase() == Phase.SERVING)
                .count();
        if (served < rows.size() || !isWhole(rows)) {
            throw new UnavailableException(
                    "table " + name + ": " + served + " of its " + rows.size() + " tablets are served",
                    Outcome.NOT_APPLIED);
        }
        return rows;
    }

    /** From the first row to the last, each tablet beginning where the one before ends. */
    private static boolean isWhole(List<MetadataRow> rows) {
        Optional<Bytes> end = Optional.empty();
        for (MetadataRow row : rows) {
            if (!row.previousEndRow().equals(end)) {
                return false;
            }
            end = row.id().endRow();
        }
        return !rows.isEmpty() && end.isEmpty();
    }
}
