package bt.client;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.metadata.MetadataSchema;
import bt.metadata.Schemas;
import bt.model.TableSchema;
import bt.record.ClusterStatus;
import bt.record.ClusterStatusRequest;
import java.util.List;

/**
 * Creating and dropping tables, and a look at the cluster (section 3 of the paper). Any thread. Requests go to the master,
 * whoever it is at the time; reads and writes of tables never do.
 */
public final class Admin {
    private final Session session;
    private final MasterCalls master;

    Admin(Session session) {
        this.session = session;
        this.master = new MasterCalls(session);
    }

    /**
     * Creates a table from a draft ({@link TableSchema#draft}); returns when every tablet is served.
     *
     * @param splitRows the tablets' end rows, each included in its tablet, in any order, none twice; one tablet more than
     *     there are rows, so none makes one tablet
     * @return the table's schema, with its id
     */
    public TableSchema createTable(TableSchema draft, List<Bytes> splitRows) throws BigtableException {
        return Session.uninterrupted("table " + draft.name(), Outcome.UNKNOWN, () -> {
            TableCreation creation = new TableCreation(session, master, draft, splitRows);
            return creation.run();
        });
    }

    /** Drops a table with all its data; nobody can open it any more when this returns. REJECTED when there is none. */
    public void dropTable(String name) throws BigtableException {
        TableSchema table = schema(name);
        Session.uninterrupted("table " + name, Outcome.UNKNOWN, () -> {
            master.drop(table);
            return true;
        });
    }

    /** The tables of the cluster, by id. */
    public List<TableSchema> tables() throws BigtableException {
        return session.schemas().all();
    }

    /** Has every tablet of a table write what it holds in memory to files: a minor compaction (section 5.4). */
    public void flush(String name) throws BigtableException {
        TableSchema table = schema(name);
        Session.uninterrupted("table " + name, Outcome.UNKNOWN, () -> {
            new TabletCalls(session).flush(table);
            return true;
        });
    }

    /** What a table takes in memory and on disk; UNAVAILABLE while one of its tablets is not served. */
    public TableSizes sizes(String name) throws BigtableException {
        TableSchema table = schema(name);
        return Session.uninterrupted("table " + name, Outcome.NOT_APPLIED, () -> new TabletCalls(session).sizes(table));
    }

    /**
     * Moves the tablet that holds a row to another server; returns when it is served there. Until it leaves it is served
     * where it is, then by nobody for a moment, and nothing is replayed. METADATA is a table like others here.
     *
     * @param server a living server's id, or its address as host:port
     */
    public void moveTablet(String name, Bytes row, String server) throws BigtableException {
        TableSchema table = name.equals(MetadataSchema.SCHEMA.name()) ? MetadataSchema.SCHEMA : schema(name);
        Session.uninterrupted("table " + name, Outcome.UNKNOWN, () -> {
            master.move(table, row, server);
            return true;
        });
    }

    /** The master's view of servers and tablets. */
    public ClusterStatus clusterStatus() throws BigtableException {
        return Session.uninterrupted(
                "the master",
                Outcome.NOT_APPLIED,
                () -> master.ask("the master", new ClusterStatusRequest(), ClusterStatus.class));
    }

    /**
     * Ends the cluster: every tablet server writes what it holds to files and ends, those with METADATA last, then the
     * master. Returns when the tablet servers have ended; what fails leaves the logs to the next start.
     */
    public void stopCluster() throws BigtableException {
        Session.uninterrupted("the master", Outcome.UNKNOWN, () -> {
            master.stop();
            return true;
        });
    }

    private TableSchema schema(String name) throws BigtableException {
        Schemas schemas = session.schemas();
        return schemas.all().stream()
                .filter(table -> table.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new RejectedException("table " + name + " does not exist: list the tables that do"));
    }
}
