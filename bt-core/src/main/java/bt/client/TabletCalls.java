package bt.client;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.Deadline;
import bt.base.OverloadedException;
import bt.base.UnavailableException;
import bt.metadata.MetadataRow;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.protocol.Address;
import bt.protocol.Answer;
import bt.protocol.Request;
import bt.record.Done;
import bt.record.FlushTable;
import bt.record.LearnTable;
import bt.record.Phase;
import bt.record.ServerSizes;
import bt.record.SizesRequest;
import bt.record.TabletReport;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.apache.avro.specific.SpecificRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What concerns all tablets of a table. */
final class TabletCalls {
    private static final Logger log = LoggerFactory.getLogger(TabletCalls.class);
    private static final long CALL_MILLIS = 5_000;

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

    /**
     * Until every server that has a tablet of the table, or loads one, follows the schema that it has now. Who loads a tablet
     * later reads the schema anew, so nobody waits for one without a server, nor for one that is damaged.
     */
    void learn(TableSchema table, Deadline until) throws BigtableException, InterruptedException {
        session.retry().run("table " + table.name() + " has version " + table.version(), until, deadline -> {
            List<MetadataRow> told = session.tablets(table.name(), table.id(), deadline);
            for (String server : having(whole(table.name(), told))) {
                session.calls().control(Address.parse(server), new LearnTable(table.id()), Done.class, deadline);
            }
            return true;
        });
    }

    /**
     * Has the servers of a dropped table refuse it now. Each of them learns it by itself too, so a server that does not
     * answer is left to that: until then it goes on with the table.
     */
    void refuse(TableSchema table) throws BigtableException, InterruptedException {
        List<Done> unused = answers(servers(session.tablets(table)), new LearnTable(table.id()), Done.class);
    }

    /** Of those that answer in time, which all have together. */
    private <T extends SpecificRecord> List<T> answers(Set<String> servers, SpecificRecord message, Class<T> type)
            throws BigtableException, InterruptedException {
        Deadline deadline = Deadline.after(session.scheduler().clock(), CALL_MILLIS);
        Map<Address, CompletableFuture<Answer>> asked = new LinkedHashMap<>();
        for (String server : servers) {
            Address to = Address.parse(server);
            asked.put(to, session.calls().send(to, new Request.Control(message), deadline));
        }
        List<T> answers = new ArrayList<>();
        for (Map.Entry<Address, CompletableFuture<Answer>> each : asked.entrySet()) {
            try {
                answers.add(session.calls().control(each.getKey(), each.getValue(), type, deadline));
            } catch (UnavailableException | OverloadedException silent) {
                log.debug("{}", silent.getMessage());
            }
        }
        return answers;
    }

    TableSizes sizes(TableSchema table) throws BigtableException, InterruptedException {
        return session.retry().run("table " + table.name(), deadline -> {
            List<ServerSizes> sizes = new ArrayList<>();
            for (String server : servers(table)) {
                sizes.add(sizes(server, table.id(), deadline));
            }
            return TableSizes.of(table, sizes);
        });
    }

    /** What tablets have in memory; without those of servers that do not answer. */
    Map<TabletId, Long> memoryBytes(long tableId, List<MetadataRow> rows)
            throws BigtableException, InterruptedException {
        Map<TabletId, Long> bytes = new HashMap<>();
        for (ServerSizes sizes : answers(servers(rows), new SizesRequest(tableId), ServerSizes.class)) {
            for (TabletReport tablet : sizes.getTablets()) {
                TabletId id = new TabletId(tableId, AvroBytes.optionalBytes(tablet.getEndRow()));
                bytes.put(id, tablet.getMemtableBytes());
            }
        }
        return bytes;
    }

    private ServerSizes sizes(String server, long tableId, Deadline deadline)
            throws BigtableException, InterruptedException {
        return session.calls().control(Address.parse(server), new SizesRequest(tableId), ServerSizes.class, deadline);
    }

    private Set<String> servers(TableSchema table) throws BigtableException, InterruptedException {
        return servers(serving(table.name(), table.id()));
    }

    /** The addresses of those that serve a tablet of the rows, each once. */
    private static Set<String> servers(List<MetadataRow> rows) {
        Set<String> servers = new TreeSet<>();
        for (MetadataRow row : rows) {
            if (row.location().getPhase() == Phase.SERVING) {
                servers.add(row.location().getAddress());
            }
        }
        return servers;
    }

    /** The addresses of those that serve or load a tablet of the rows, each once, but those that could not load it. */
    private static Set<String> having(List<MetadataRow> rows) {
        Set<String> servers = new TreeSet<>();
        for (MetadataRow row : rows) {
            if (row.location().getPhase() != Phase.UNASSIGNED && row.damage().isEmpty()) {
                servers.add(row.location().getAddress());
            }
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
        List<MetadataRow> rows = chain(name, tableId);
        long served = rows.stream()
                .filter(row -> row.location().getPhase() == Phase.SERVING)
                .count();
        if (served < rows.size()) {
            throw new UnavailableException(
                    "table " + name + ": " + served + " of its " + rows.size() + " tablets are served",
                    Outcome.NOT_APPLIED);
        }
        return rows;
    }

    /** All of them: right after a split METADATA may show the upper half alone. */
    private List<MetadataRow> chain(String name, long tableId) throws BigtableException, InterruptedException {
        return whole(name, session.tablets(name, tableId));
    }

    private static List<MetadataRow> whole(String name, List<MetadataRow> rows) throws UnavailableException {
        if (!isWhole(rows)) {
            throw new UnavailableException(
                    "table " + name + ": METADATA does not show all of its tablets, but " + rows.size(),
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
