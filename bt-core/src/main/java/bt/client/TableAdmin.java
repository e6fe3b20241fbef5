package bt.client;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.Deadline;
import bt.base.UnavailableException;
import bt.model.DroppedTable;
import bt.model.TableSchema;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * What {@link Admin} does with whole tables: creating, altering and dropping them (section 3 of the paper). Any thread. Every call is
 * REJECTED where the user has not the right to it or the name is none, and UNAVAILABLE while no master answers, for a minute, or the
 * lock service does not.
 */
public abstract sealed class TableAdmin extends AdminCalls permits TabletAdmin {
    private static final long LAST_DROPPED = 0;

    TableAdmin(Session session) {
        super(session);
    }

    /**
     * Creates a table from a draft ({@link TableSchema#draft}); returns when every tablet is served. Its lists of rights are
     * the draft's; where these name no administrator of the table, and the cluster has a list, the creator gets all rights too.
     *
     * @param splitRows the tablets' end rows, each included in its tablet, in any order, none twice, 10,000 at most, of 1 MiB
     *     together; one tablet more than there are rows, so none makes one tablet
     * @return the table's schema, with its id
     */
    public TableSchema createTable(TableSchema draft, List<Bytes> splitRows) throws BigtableException {
        return Session.uninterrupted("table " + draft.name(), Outcome.UNKNOWN, () -> {
            TableCreation creation = new TableCreation(session, master, draft, splitRows);
            return creation.run();
        });
    }

    /** The same with one tablet, which splits by itself when it has grown. */
    public TableSchema createTable(TableSchema draft) throws BigtableException {
        return createTable(draft, List.of());
    }

    /**
     * Begins what {@link #createTable(TableSchema, List)} does, and does not wait until every tablet is served: the table is there,
     * and whoever reads or writes it waits for the tablet that he needs. A table that is truncated or comes back is listed
     * likewise until it is served.
     */
    public Operation startCreation(TableSchema draft, List<Bytes> splitRows) throws BigtableException {
        return Session.uninterrupted("table " + draft.name(), Outcome.UNKNOWN, () -> {
            long unused = new TableCreation(session, master, draft, splitRows).begin();
            return Operation.creation(draft.name(), splitRows.size() + 1);
        });
    }

    /** The schema of a table as it is; empty where there is none of that name. */
    public Optional<TableSchema> table(String name) throws BigtableException {
        return session.lookUp(subject(name), deadline -> session.schemas().byName(name));
    }

    /** The tables of the cluster, by id. */
    public List<TableSchema> tables() throws BigtableException {
        return session.lookUp("the tables", deadline -> session.schemas().all());
    }

    /** The dropped tables that can come back, by id. */
    public List<DroppedTable> droppedTables() throws BigtableException {
        return session.lookUp(
                "the dropped tables", deadline -> session.schemas().dropped());
    }

    /**
     * Changes a table's schema while it is served; when this returns every server of the table follows the new one. As in
     * {@code admin.alterTable("web", table -> table.change().addFamily("anchor", GcRule.KEEP_ALL).build())}.
     * It is one conditional write of the master, of which no part can go on by itself, so it is no {@link Operation}: within
     * a minute of finding the table it returns, or is UNAVAILABLE because not all servers have said that they follow. Tablets that no server has, or
     * that are damaged, are not waited for: who loads one later reads the new schema. OVERLOADED where others have changed the
     * table before it each time, for a minute.
     *
     * @param change from the table's present schema to the one wanted ({@link TableSchema#change}); called again when
     *     somebody else has changed the table in between, so it depends on its argument alone
     * @return the table's new schema, or the present one if the change asks for nothing else
     */
    public TableSchema alterTable(String name, UnaryOperator<TableSchema> change) throws BigtableException {
        TableSchema table = schema(name);
        return Session.uninterrupted("table " + name, Outcome.UNKNOWN, () -> {
            Deadline until = session.adminDeadline();
            TableSchema altered = new TableAlteration(session, master, table, change).run(until);
            return Doubt.after(subject(altered) + ", which its servers come to follow by themselves", () -> {
                new TabletCalls(session).learn(altered, until);
                return altered;
            });
        });
    }

    /**
     * Drops a table: its name is free when this returns, and it is refused by every server that answers; one that does not
     * goes on with it until it has seen for itself that it is dropped, or ends. It can come back, with all its
     * data, for as long as the cluster's key {@code undelete.seconds} says. REJECTED when there is none.
     */
    public void dropTable(String name) throws BigtableException {
        TableSchema table = schema(name);
        Session.uninterrupted("table " + name, Outcome.UNKNOWN, () -> {
            master.drop(table);
            return Doubt.after("table " + name + " was dropped, which its servers come to know by themselves", () -> {
                Optional<TableSchema> unused = session.schemas().refresh(table.id());
                new TabletCalls(session).refuse(table);
                return true;
            });
        });
    }

    /**
     * Puts an empty table in the place of one, with its name, schema and rights, and tablets that end where its do; returns when
     * every tablet is served. The one with the data is dropped, and can come back by its id for as long as a dropped one can ({@link
     * #undeleteTable(String, long)}). Who has opened that reads and writes it no more, REJECTED, as {@link #dropTable} says, and opens the table again; for a moment no
     * table may bear the name, longer if the master dies in it and this call ends: then it is dropped. The master writes a
     * row of METADATA for each tablet, seconds for the most that a table to be truncated may have, 10,001, and answers when
     * it has; UNAVAILABLE when after a minute some tablets are not served, which goes on by itself, as an {@link Operation} (creation). REJECTED when there is none.
     *
     * @return the empty table's schema
     */
    public TableSchema truncateTable(String name) throws BigtableException {
        TableSchema full = schema(name);
        return Session.uninterrupted("table " + name, Outcome.UNKNOWN, () -> {
            long tableId = master.truncate(full);
            return Doubt.after(truncated(name), () -> {
                new TabletCalls(session).refuse(full);
                return served(name, tableId);
            });
        });
    }

    /**
     * Begins what {@link #truncateTable} does, and does not wait until every tablet is served: the empty table is there, and
     * whoever reads or writes it waits for the tablet that he needs.
     */
    public Operation startTruncation(String name) throws BigtableException {
        TableSchema full = schema(name);
        return Session.uninterrupted("table " + name, Outcome.UNKNOWN, () -> {
            long unused = master.truncate(full);
            return Doubt.after(truncated(name), () -> {
                new TabletCalls(session).refuse(full);
                return creation(name);
            });
        });
    }

    /**
     * Brings back the table that was dropped last under this name, with all its data; returns when every tablet is served.
     * That it is back is one conditional write of the master; UNAVAILABLE when after a minute some
     * tablets are not served, which goes on by itself, as an {@link Operation} (creation). REJECTED when none can come back, or when another table bears the name.
     */
    public TableSchema undeleteTable(String name) throws BigtableException {
        return undeleteTable(name, LAST_DROPPED);
    }

    /** The same of the table that has this id, of all that were dropped or truncated under the name ({@link #droppedTables}). */
    public TableSchema undeleteTable(String name, long id) throws BigtableException {
        return Session.uninterrupted("table " + name, Outcome.UNKNOWN, () -> {
            long tableId = master.undelete(name, id);
            return Doubt.after(undeleted(name), () -> served(name, tableId));
        });
    }

    /**
     * Begins what {@link #undeleteTable(String)} does, and does not wait until every tablet is served: the table is back, and
     * whoever reads or writes it waits for the tablet that he needs.
     */
    public Operation startUndeletion(String name) throws BigtableException {
        return startUndeletion(name, LAST_DROPPED);
    }

    /** The same of the table that has this id, of all that were dropped or truncated under the name ({@link #droppedTables}). */
    public Operation startUndeletion(String name, long id) throws BigtableException {
        return Session.uninterrupted("table " + name, Outcome.UNKNOWN, () -> {
            long unused = master.undelete(name, id);
            return Doubt.after(undeleted(name), () -> creation(name));
        });
    }

    /**
     * What a table with quotas ({@link bt.model.Quotas}) takes, as its master wrote it a few seconds ago; empty for a table
     * without, or when that has not happened yet.
     */
    public Optional<TableUse> use(String name) throws BigtableException {
        long id = schema(name).id();
        return session.lookUp(subject(name), deadline -> TableUse.read(id, session.locks()));
    }

    /** What a table takes in memory and on disk; UNAVAILABLE while one of its tablets is not served. */
    public TableSizes sizes(String name) throws BigtableException {
        TableSchema table = schema(name);
        return Session.uninterrupted("table " + name, Outcome.NOT_APPLIED, () -> new TabletCalls(session).sizes(table));
    }

    private Operation creation(String table) throws BigtableException, InterruptedException {
        String id = Operation.creationOf(table);
        Optional<Operation> listed = new Operations(session, master).listed(id);
        return listed.isPresent() ? listed.get() : Operation.over(id);
    }

    private TableSchema served(String name, long tableId) throws BigtableException, InterruptedException {
        new Operations(session, master).awaitCreation(name, tableId);
        return session.schemas()
                .refresh(tableId)
                .orElseThrow(() -> new UnavailableException(
                        "it was dropped again: undelete it, or create it anew", Outcome.UNKNOWN));
    }

    private static String truncated(String table) {
        return "table " + table + " was truncated, and the empty one's tablets come to be served by themselves";
    }

    private static String undeleted(String table) {
        return "table " + table + " is back, and its tablets come to be served by themselves";
    }

    private static String subject(TableSchema altered) {
        return "table " + altered.name() + " has version " + altered.version();
    }

    /** METADATA's too. */
    final TableSchema anySchema(String name) throws BigtableException {
        return table(name).orElseThrow(() -> missing(name));
    }
}
