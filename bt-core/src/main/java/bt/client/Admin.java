package bt.client;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.Messages;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.client.Operations.Patience;
import bt.metadata.ClusterAccess;
import bt.metadata.MetadataSchema;
import bt.model.AccessList;
import bt.model.DroppedTable;
import bt.model.RowRange;
import bt.model.TableSchema;
import bt.record.ClusterStatus;
import bt.record.ClusterStatusRequest;
import bt.record.Done;
import bt.record.DrainServer;
import bt.record.GarbageReport;
import bt.record.GarbageRequest;
import bt.record.ProcessExited;
import bt.record.RecoveryReport;
import bt.record.RecoveryRequest;
import bt.record.ServerDraining;
import bt.record.TableWork;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Creating, altering and dropping tables, and a look at the cluster (section 3 of the paper). Any thread. Requests go to the master,
 * whoever it is at the time; reads and writes of tables never do.
 */
public final class Admin {
    /** The name of the table of tablets, of which some work is asked for as of any table. */
    public static final String METADATA = MetadataSchema.SCHEMA.name();

    private static final long LAST_DROPPED = 0;

    private final Session session;
    private final MasterCalls master;

    Admin(Session session) {
        this.session = session;
        this.master = new MasterCalls(session);
    }

    /**
     * Creates a table from a draft ({@link TableSchema#draft}); returns when every tablet is served. Its lists of rights are
     * the draft's; where these name no administrator of the table, and the cluster has a list, the creator gets all rights too.
     *
     * @param splitRows the tablets' end rows, each included in its tablet, in any order, none twice, 10,000 at most; one tablet
     *     more than there are rows, so none makes one tablet
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

    /**
     * Changes a table's schema while it is served; when this returns every server of the table follows the new one. As in
     * {@code admin.alterTable("web", table -> table.change().addFamily("anchor", GcRule.KEEP_ALL).build())}.
     * It is one conditional write of the master, of which no part can go on by itself, so it is no {@link Operation}: within
     * a minute it returns, or is UNAVAILABLE because not all servers have said that they follow. Tablets that no server has, or
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
            TableSchema altered = new TableAlteration(session, master, table, change).run();
            return Doubt.after(subject(altered) + ", which its servers come to follow by themselves", () -> {
                new TabletCalls(session).learn(altered);
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

    /**
     * What a table with quotas ({@link bt.model.Quotas}) takes, as its master wrote it a few seconds ago; empty for a table
     * without, or when that has not happened yet.
     */
    public Optional<TableUse> use(String name) throws BigtableException {
        long id = schema(name).id();
        return session.lookUp(subject(name), deadline -> TableUse.read(id, session.locks()));
    }

    /** Who may create tables and administer the cluster; empty: everybody may do everything. */
    public Optional<AccessList> access() throws BigtableException {
        return session.lookUp("the cluster's rights", deadline -> ClusterAccess.read(session.locks())
                .list());
    }

    /**
     * Changes who may create tables and administer the cluster; rights for tables are part of their schema ({@link
     * bt.model.SchemaChange#grant}). Servers follow within moments. REJECTED where no administrator would be left,
     * OVERLOADED where others have changed them before it each time, for a minute.
     *
     * @param change from the present list, {@link AccessList#NOBODY} where there is none, to the one wanted; called again
     *     when somebody else has changed it in between, so it depends on its argument alone
     */
    public AccessList alterAccess(UnaryOperator<AccessList> change) throws BigtableException {
        return Session.uninterrupted(
                "the cluster's rights", Outcome.UNKNOWN, () -> new AccessAlteration(session, master, change).run());
    }

    /** The dropped tables that can come back, by id. */
    public List<DroppedTable> droppedTables() throws BigtableException {
        return session.lookUp(
                "the dropped tables", deadline -> session.schemas().dropped());
    }

    /** The tables of the cluster, by id. */
    public List<TableSchema> tables() throws BigtableException {
        return session.lookUp("the tables", deadline -> session.schemas().all());
    }

    /**
     * Has every tablet of a table write what it holds in memory to files: a minor compaction (section 5.4). Returns when it is
     * done, or the table is dropped. Where that takes longer than a request may, or a tablet is not served, it becomes an operation
     * ({@link #startFlush}), and is waited for; UNAVAILABLE when that goes on after a day, or something has hindered it for
     * a minute in which no tablet was done: the message says what, and by which id it is found.
     */
    public void flush(String name) throws BigtableException {
        TableSchema table = schema(name);
        Session.uninterrupted("table " + name, Outcome.UNKNOWN, () -> {
            try {
                new TabletCalls(session).flush(table);
                return true;
            } catch (UnavailableException late) {
                return finish(table, TableWork.FLUSH, Bytes.EMPTY, Optional.empty());
            }
        });
    }

    /** As an operation, what takes longer than a request may. */
    private boolean finish(TableSchema table, TableWork work, Bytes from, Optional<Bytes> to)
            throws BigtableException, InterruptedException {
        Operations operations = new Operations(session, master);
        return operations.awaitBegun(operations.begin(table, work, from, to).id());
    }

    /**
     * Begins what {@link #flush} does, and does not wait for it: what was written when this was called is in files when it is
     * done. Whoever begins it again while it is under way begins it anew, and who waited for the first waits for that.
     */
    public Operation startFlush(String name) throws BigtableException {
        return start(schema(name), TableWork.FLUSH, Bytes.EMPTY, Optional.empty());
    }

    /**
     * Has all that a table holds go through a major compaction (section 5.4): what is deleted, too old or beyond the limit of
     * versions goes from its files. {@link #startCompaction} tells what stays. Returns when it is done, or somebody has taken
     * it back ({@link #cancelCompaction}), or the table is dropped; UNAVAILABLE when it goes on as {@link #flush} may.
     */
    public void compactTable(String name) throws BigtableException {
        String id = startCompaction(name, RowRange.ALL).id();
        Session.uninterrupted(id, Outcome.UNKNOWN, () -> new Operations(session, master).awaitBegun(id));
    }

    /**
     * Begins a major compaction of the tablets of a table that hold rows of the range, and does not wait for it: what is in memory is
     * written to files, then these are rewritten by all servers at the pace of their other compactions, with their share of
     * bytes a second. What was written when this was called is judged; what the newest writes of a tablet have deleted stays in
     * the first five minutes after that tablet was loaded, and ages are judged ten minutes late, for the sake of readers
     * in the middle of a row.
     *
     * <p>A table has one such operation. Whoever begins it again while it is under way begins it anew, for the rows of both,
     * and who waited for the first waits for that. It is under way no more when it is done, or somebody has taken it back
     * ({@link #cancelCompaction}), or the table is dropped: whoever waits for it is not told which. A tablet that has a
     * damaged file is tried ever more seldom, every ten minutes at last, until it can be read or somebody takes it back.
     *
     * <p>REJECTED where no row can lie in the range, or it begins or ends with more bytes than a row may have.
     *
     * @param rows none of the tablets that hold none of these is compacted
     */
    public Operation startCompaction(String name, RowRange rows) throws BigtableException {
        return start(schema(name), TableWork.COMPACTION, rows.start(), rows.end());
    }

    /** The compaction of a table that somebody has asked for begins in no more tablets. Nothing happens where there is none. */
    public void cancelCompaction(String name) throws BigtableException {
        cancel(schema(name), TableWork.COMPACTION);
    }

    /**
     * Splits the tablet that holds the row, which need not exist, so that it ends with it; nothing where one does already.
     * The row stays the end of a tablet until somebody asks for a merge. Returns when both halves are served. REJECTED where
     * the row is empty or too long.
     */
    public void splitTablet(String name, Bytes row) throws BigtableException {
        TableSchema table = anySchema(name);
        Session.uninterrupted("table " + name, Outcome.UNKNOWN, () -> new TabletSplits(session, table).at(row));
    }

    /**
     * Splits every tablet in the middle of its bytes. REJECTED where none can be: their bytes are of one row each, or too
     * few.
     *
     * @return the rows behind which tablets were split
     */
    public List<Bytes> splitTablets(String name) throws BigtableException {
        TableSchema table = anySchema(name);
        return Session.uninterrupted(
                "table " + name, Outcome.UNKNOWN, () -> new TabletSplits(session, table).everywhere());
    }

    /**
     * Begins what {@link #splitTablet} does, and does not wait for it; rows of which it is begun are split behind one after the
     * other. One whose tablet is not served waits for it, and others do not. OVERLOADED when so many wait that they would not fit into a small file. REJECTED for METADATA.
     */
    public Operation startSplit(String name, Bytes row) throws BigtableException {
        if (row.isEmpty()) {
            throw new RejectedException("table " + name + ": no tablet ends with the empty row: name another");
        }
        return start(userSchema(name), TableWork.SPLIT, row, Optional.empty());
    }

    /**
     * Begins what {@link #splitTablets} does, and does not wait for it: one tablet after the other is split in its middle, those
     * that were there when it was begun, each at most once; one that cannot be is left as it is. To begin it twice is to begin it once.
     * REJECTED for METADATA.
     */
    public Operation startSplit(String name) throws BigtableException {
        return start(userSchema(name), TableWork.SPLIT, Bytes.EMPTY, Optional.empty());
    }

    /**
     * Makes one tablet of all that hold rows from one to another, both included. For that they leave their servers, for five
     * seconds at most at a time. Returns when the one is served. Where that takes longer than a request may, it becomes an
     * operation ({@link #startMerge}), and is waited for as {@link #flush} does. REJECTED for METADATA, and where a row is empty or
     * too long, or the first comes after the last.
     */
    public void mergeTablets(String name, Bytes from, Bytes to) throws BigtableException {
        TableSchema table = mergeable(name);
        Session.uninterrupted("table " + name, Outcome.UNKNOWN, () -> {
            try {
                return new TabletMerge(session, master, table, from, to).run();
            } catch (UnavailableException late) {
                return Doubt.behind(late, () -> finish(table, TableWork.MERGE, from, Optional.of(to)));
            }
        });
    }

    /**
     * Begins what {@link #mergeTablets} does, and does not wait for it. Where the tablets cannot be merged, because one of them
     * is being recovered for instance, they are served meanwhile, and it is tried again, every ten minutes at last. OVERLOADED when so many
     * merges wait that they would not fit into a small file. REJECTED for METADATA, and where a row is empty or too long, or the first
     * comes after the last.
     */
    public Operation startMerge(String name, Bytes from, Bytes to) throws BigtableException {
        return start(mergeable(name), TableWork.MERGE, from, Optional.of(to));
    }

    private TableSchema mergeable(String name) throws BigtableException {
        if (name.equals(MetadataSchema.SCHEMA.name())) {
            throw new RejectedException(
                    "METADATA's tablets are not merged by wish: the master merges them where they are small");
        }
        return schema(name);
    }

    private TableSchema userSchema(String name) throws BigtableException {
        if (name.equals(MetadataSchema.SCHEMA.name())) {
            throw new RejectedException("METADATA's tablets are split without an operation: ask for the split itself");
        }
        return schema(name);
    }

    private Operation start(TableSchema table, TableWork work, Bytes from, Optional<Bytes> to)
            throws BigtableException {
        return Session.uninterrupted("table " + table.name(), Outcome.UNKNOWN, () -> new Operations(session, master)
                .begin(table, work, from, to));
    }

    private void cancel(TableSchema table, TableWork work) throws BigtableException {
        Session.uninterrupted(
                "table " + table.name(), Outcome.UNKNOWN, () -> new Operations(session, master).cancel(table, work));
    }

    /**
     * What happened to the tablet that holds the row now, the oldest first. METADATA keeps the last hundred events of each
     * tablet, and as many compactions; of the root tablet twenty of each are kept. REJECTED where the row is empty or too long.
     */
    public List<TabletEvent> history(String name, Bytes row) throws BigtableException {
        return new TabletHistory(session, anySchema(name)).of(row);
    }

    /** What happened to all tablets of a table, one tablet after the other; of those too that are gone. To be closed. */
    public TabletEvents history(String name) throws BigtableException {
        return new TabletHistory(session, anySchema(name)).all();
    }

    /** What a table takes in memory and on disk; UNAVAILABLE while one of its tablets is not served. */
    public TableSizes sizes(String name) throws BigtableException {
        TableSchema table = schema(name);
        return Session.uninterrupted("table " + name, Outcome.NOT_APPLIED, () -> new TabletCalls(session).sizes(table));
    }

    /**
     * Moves the tablet that holds a row to another server; returns when it is served there. Until it leaves it is served
     * where it is, then by nobody for a moment, and nothing is replayed. Where that takes longer than a request may, it becomes
     * an operation ({@link #startMove}), and is waited for as {@link #flush} does; METADATA is a table like others here, but
     * for that: UNAVAILABLE then. REJECTED where the row is empty or too long.
     *
     * @param server a living server's id, or its address as host:port
     */
    public void moveTablet(String name, Bytes row, String server) throws BigtableException {
        TableSchema table = name.equals(MetadataSchema.SCHEMA.name()) ? MetadataSchema.SCHEMA : schema(name);
        Session.uninterrupted("table " + name, Outcome.UNKNOWN, () -> {
            try {
                master.move(table, row, server);
            } catch (UnavailableException late) {
                if (name.equals(METADATA)) {
                    throw late;
                }
                return Doubt.behind(late, () -> {
                    new AwaitedMove(session, table, row, server).run(new Operations(session, master));
                    return true;
                });
            }
            return true;
        });
    }

    /**
     * Begins what {@link #moveTablet} does, and does not wait for it: whichever tablet holds the row when it can be moved goes to
     * the server, and one that cannot be now, because it is being split for instance, is tried again, every ten minutes at
     * last. Where the server dies, or is drained, the move ends and is told for a minute ({@link Operation#refusals}). A
     * table has one such operation, of all its tablets that are to move; of a row the server that was named last counts.
     * OVERLOADED when so many wait that they would not fit into a small file. REJECTED for METADATA.
     *
     * @param server a living server's id, or its address as host:port
     */
    public Operation startMove(String name, Bytes row, String server) throws BigtableException {
        if (name.equals(METADATA)) {
            throw new RejectedException("METADATA's tablets are moved without an operation: ask for the move itself");
        }
        TableSchema table = schema(name);
        return Session.uninterrupted(
                "table " + name, Outcome.UNKNOWN, () -> new Operations(session, master).move(table, row, server));
    }

    /**
     * Leaves a server without tablets; returns when all that it serves have moved to others, and from then on it is given
     * none. What it could not load is not waited for. UNAVAILABLE when none of its tablets has left for ten minutes; the drain goes
     * on nevertheless.
     *
     * @param server a living server's id, or its address as host:port
     * @return how many tablets that were given to this server neither it nor another has loaded
     */
    public int drainServer(String server) throws BigtableException {
        return drainServer(server, left -> {});
    }

    /**
     * The same.
     *
     * @param progress is told how many tablets are to leave still, some times a second, on the caller's thread
     */
    public int drainServer(String server, IntConsumer progress) throws BigtableException {
        return Session.uninterrupted("server " + server, Outcome.UNKNOWN, () -> master.drain(server, progress));
    }

    /**
     * Begins what {@link #drainServer} does, and does not wait for it. To begin it twice is to begin it once.
     *
     * @param server a living server's id, or its address as host:port
     */
    public Operation startDrain(String server) throws BigtableException {
        return Session.uninterrupted(
                "server " + server, Outcome.UNKNOWN, () -> new Operations(session, master).drain(server));
    }

    /**
     * What takes long and is under way: drains, recoveries, the flushes, compactions, splits, merges, moves and sweeps of garbage
     * that somebody has begun, and tables that were created, truncated or undeleted and are not served yet.
     */
    public List<Operation> operations() throws BigtableException {
        return Session.uninterrupted("the master", Outcome.NOT_APPLIED, () -> new Operations(session, master).all());
    }

    /**
     * How far the operation of this id is; one that is not under way any more is done. REJECTED where it is not under way and its
     * id is none, or of a table that neither exists nor can come back.
     */
    public Operation operation(String id) throws BigtableException {
        Optional<Operation> listed =
                Session.uninterrupted(id, Outcome.NOT_APPLIED, () -> new Operations(session, master).listed(id));
        return listed.isPresent() ? listed.get() : over(id);
    }

    /**
     * Returns when the operation of this id is done, or is not under way any more; UNAVAILABLE when it is not after so long, with
     * what hinders it, if something does; REJECTED where it is not under way and its id is none, or of a table that neither
     * exists nor can come back. While no master answers it waits for one, until that time too.
     * Whoever waits and stops waiting changes nothing of it.
     *
     * @param progress is told how far it is, some times a second, on the caller's thread
     */
    public void awaitOperation(String id, long timeoutMillis, Consumer<Operation> progress) throws BigtableException {
        Operation never = Operation.over(id);
        Optional<Operation> listed =
                Session.uninterrupted(never.id(), Outcome.NOT_APPLIED, () -> new Operations(session, master)
                        .await(id, new Patience(timeoutMillis, timeoutMillis), progress));
        if (listed.isEmpty()) {
            Operation unused = over(id);
        }
    }

    /**
     * A flush, compaction, split, merge or move that somebody has begun is not to go on; what is at work on a tablet ends. Nothing happens
     * where it is not under way. REJECTED for a recovery and a sweep, which nothing ends but their end, and for a drain ({@link
     * #undrainServer}).
     *
     * @param id as {@link Operation#id}
     */
    public void cancelOperation(String id) throws BigtableException {
        int slash = id.indexOf('/');
        Optional<TableWork> work = Stream.of(TableWork.values())
                .filter(each -> each != TableWork.CREATION)
                .filter(each ->
                        slash > 0 && each.name().equals(id.substring(0, slash).toUpperCase(Locale.ROOT)))
                .findFirst();
        TableWork kind = work.orElseThrow(() -> new RejectedException(id
                + ": flush/TABLE, compaction/TABLE, split/TABLE, merge/TABLE and move/TABLE can be taken back; a drain ends"
                + " when the server is undrained, a recovery and a sweep when they are done, a creation when the table is"
                + " served or dropped"));
        cancel(schema(id.substring(slash + 1)), kind);
    }

    /** The server may be given tablets again; those that have moved stay where they are. */
    public void undrainServer(String server) throws BigtableException {
        Session.uninterrupted(
                "server " + server,
                Outcome.UNKNOWN,
                () -> master.ask("server " + server, new DrainServer(server, true), ServerDraining.class));
    }

    /**
     * Tells the master that the process of this name has ended, so that nobody waits for its lock and its lease. For
     * whoever started the process and saw its exit code.
     */
    public void processExited(String process) throws BigtableException {
        Session.uninterrupted(
                "process " + process,
                Outcome.UNKNOWN,
                () -> master.ask("process " + process, new ProcessExited(process), Done.class));
    }

    /** The master's view of servers and tablets. */
    public MasterView clusterStatus() throws BigtableException {
        return MasterView.of(Session.uninterrupted(
                "the master",
                Outcome.NOT_APPLIED,
                () -> master.ask("the master", new ClusterStatusRequest(), ClusterStatus.class)));
    }

    /** The dead servers whose tablets are not all served by others yet, and how far that is. */
    public List<RecoveryInfo> recoveries() throws BigtableException {
        RecoveryReport report = Session.uninterrupted(
                "the master",
                Outcome.NOT_APPLIED,
                () -> master.ask("the master", new RecoveryRequest(), RecoveryReport.class));
        return report.getLines().stream().map(RecoveryInfo::of).toList();
    }

    /**
     * The slowest of the requests that servers have traced lately, at most so many: each server keeps some of each
     * kind for five minutes at least, of one request in so many as the cluster's key {@code tabletserver.trace.one.of} says.
     *
     * @param server a living server's id, or its address as host:port; empty for all
     * @param kind get, scan or write; empty for all
     */
    public SlowRequests slowRequests(Optional<String> server, Optional<String> kind, int most)
            throws BigtableException {
        MasterView cluster = clusterStatus();
        return Session.uninterrupted(
                "traces", Outcome.NOT_APPLIED, () -> new ServerTraces(session, kind, most).slowest(cluster, server));
    }

    /** What the master's last sweep of garbage saw and deleted. */
    public GarbageSweep garbage() throws BigtableException {
        return garbage(false);
    }

    /**
     * The same, or what its last dry sweep saw.
     *
     * @param dry of those that somebody has asked for and that have deleted nothing ({@link #startSweep})
     */
    public GarbageSweep garbage(boolean dry) throws BigtableException {
        return Session.uninterrupted("the master", Outcome.NOT_APPLIED, () -> lastSweep(dry));
    }

    private GarbageSweep lastSweep(boolean dry) throws BigtableException, InterruptedException {
        return GarbageSweep.of(master.ask("the master", new GarbageRequest(dry), GarbageReport.class));
    }

    /**
     * Has the master sweep garbage now; returns when it has, and waits for it as {@link #compactTable} does. Nothing goes before
     * its grace is over, whoever asks. UNAVAILABLE where the master that has done it has ended before it could tell.
     *
     * @param dry deletes nothing, and tells what would be
     */
    public GarbageSweep sweepGarbage(boolean dry) throws BigtableException {
        return Session.uninterrupted("the master", Outcome.UNKNOWN, () -> {
            Operations operations = new Operations(session, master);
            String id = operations.sweep(dry).id();
            boolean unused = operations.awaitBegun(id);
            return Doubt.after(id + " is done", () -> lastSweep(dry)).after(id);
        });
    }

    /**
     * Begins what {@link #sweepGarbage} does, and does not wait for it; {@link #garbage(boolean)} tells then what it came to. A
     * sweep that is under way is followed by another, for what was no garbage when it began may be now; to begin it twice
     * before it is under way is to begin it once. Whichever master reigns does it, from its beginning where the one before has ended.
     *
     * @param dry deletes nothing, and tells what would be
     */
    public Operation startSweep(boolean dry) throws BigtableException {
        return Session.uninterrupted("the master", Outcome.UNKNOWN, () -> new Operations(session, master).sweep(dry));
    }

    /**
     * Ends the cluster: every tablet server writes what it holds to files and ends, those with METADATA last, then the
     * master. Returns when the tablet servers have ended; what fails leaves the logs to the next start. UNAVAILABLE when no
     * tablet was handed back, and no server has ended, for the time of an operation, a minute where nothing else is said;
     * the stop goes on nevertheless.
     */
    public void stopCluster() throws BigtableException {
        stopCluster(left -> {});
    }

    /**
     * The same.
     *
     * @param progress is told how many tablets and servers are left, each such time, on the caller's thread
     */
    public void stopCluster(IntConsumer progress) throws BigtableException {
        Session.uninterrupted("the master", Outcome.UNKNOWN, () -> {
            master.stop(progress);
            return true;
        });
    }

    /** What is not listed may be over. What can never have been would be waited for by mistake, or taken for done. */
    private Operation over(String id) throws BigtableException {
        Operation over = Operation.over(id);
        if (over.kind().isOfTable() && !hasBeen(over.subject())) {
            throw new RejectedException("operation " + Messages.name(id)
                    + ": no table of its name exists or can come back: list those that are under way");
        }
        return over;
    }

    private boolean hasBeen(String table) throws BigtableException {
        return table(table).isPresent()
                || droppedTables().stream()
                        .anyMatch(dropped -> dropped.schema().name().equals(table));
    }

    /** METADATA's too. */
    private TableSchema anySchema(String name) throws BigtableException {
        return table(name).orElseThrow(() -> missing(name));
    }

    private TableSchema schema(String name) throws BigtableException {
        return session.lookUp(subject(name), deadline -> session.schemas().find(name))
                .orElseThrow(() -> missing(name));
    }

    private static RejectedException missing(String table) {
        return new RejectedException(subject(table) + " does not exist: list the tables that do");
    }

    private static String subject(String table) {
        return "table " + Messages.name(table);
    }
}
