package bt.client;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.Deadline;
import bt.base.RejectedException;
import bt.metadata.MetadataRow;
import bt.model.ColumnKey;
import bt.model.ConditionalMutation;
import bt.model.Counter;
import bt.model.Filter;
import bt.model.Row;
import bt.model.RowMutation;
import bt.model.RowSet;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.protocol.Condition;
import bt.protocol.WriteId;
import bt.record.FileReference;
import bt.record.Phase;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * An open table (section 3 of the paper). Any thread. Every method retries what is UNAVAILABLE or OVERLOADED for a minute,
 * or what {@link ClientOptions} say, and throws it then; REJECTED at once for an unknown family, a row key that is empty or above 64 KiB, or a table that
 * was dropped meanwhile.
 */
public final class Table {
    /** Of a row of which it does not matter what it holds. */
    static final Filter ONE_KEY = Filter.chain(List.of(new Filter.First(1), new Filter.Keys()));

    private final Session session;
    private final TableSchema schema;

    Table(Session session, TableSchema schema) {
        this.session = session;
        this.schema = schema;
    }

    /** As it was when the table was opened. */
    public TableSchema schema() {
        return schema;
    }

    /**
     * Applies a mutation atomically ({@code Apply} in figure 2 of the paper): all of it, once, however often it was sent.
     * When it returns, the mutation has survived what the table's durability promises. A failure says by its outcome
     * whether nothing was applied or that is UNKNOWN.
     *
     * @return the timestamp that the server gave to the cells without one of their own, in microseconds since 1970; 0 if
     *     there was none; of one increment or one append what {@link #increment} and {@link #append} return. Of several, or
     *     of one with other changes, {@link #modify} answers the values
     */
    public long apply(RowMutation mutation) throws BigtableException {
        return write(mutation, Optional.empty());
    }

    /**
     * Applies one of two mutations of a row, as its predicate says of what the row holds then; nothing comes in between.
     * Once, however often it was sent.
     *
     * @return whether the predicate let something pass
     */
    public boolean apply(ConditionalMutation mutation) throws BigtableException {
        PredicatedWrite write = PredicatedWrite.of(mutation);
        return write(write.mutation(), Optional.of(write.condition())) != 0;
    }

    /**
     * Applies mutations of any rows, each by itself: all or nothing of it, once. Those of one row are applied in their
     * order. Returns when each is applied or has failed, at the latest after about a minute: what was not sent by then has
     * failed, NOT_APPLIED. If it is interrupted before, or its client closed, those fail that are not applied: UNKNOWN what a
     * server may have, NOT_APPLIED the others. While a server may have one and does not say so, some 32,000 others are sent,
     * fewer where it does not answer: each request with some of its writes then takes fifteen seconds of the minute. For so many as are in memory at once: {@link #batch} takes any number, and sends more at a time.
     *
     * @return of each what became of it, in their order
     */
    public List<Written> applyAll(List<RowMutation> mutations) throws BigtableException {
        checkWritable();
        return new WriteRounds(session, new Writes(session, schema, session.pace()), mutations).run();
    }

    /**
     * Adds to a {@link Counter}, which is 0 where there is none, once, however often it was sent. REJECTED when the column
     * holds something else, or the sum has more than 64 bits.
     *
     * @return the sum
     */
    public long increment(Bytes row, ColumnKey column, long amount) throws BigtableException {
        return write(RowMutation.of(row).increment(column, amount).build(), Optional.empty());
    }

    /**
     * Writes the newest value of a column with more behind it, once, however often it was sent.
     *
     * @return how many bytes the value has now
     */
    public long append(Bytes row, ColumnKey column, Bytes more) throws BigtableException {
        return write(RowMutation.of(row).append(column, more).build(), Optional.empty());
    }

    /**
     * Applies a mutation as {@link #apply(RowMutation)} does, once, and answers what its increments and appends have made of
     * their columns. It reads them first, and again whenever others change them in between ({@link #transact}): of a
     * mutation that is one increment or one append, {@link #increment} and {@link #append} are cheaper.
     * IllegalArgumentException where it has none.
     *
     * @return the new value of each column that is incremented, as {@link Counter} encodes it, or appended to, in the order of
     *     the changes
     */
    public Map<ColumnKey, Bytes> modify(RowMutation mutation) throws BigtableException {
        return modify(mutation, PageRoom.UNBOUNDED);
    }

    /** The same; what it reads finds room there, where the mutation is counted already. */
    Map<ColumnKey, Bytes> modify(RowMutation mutation, PageRoom room) throws BigtableException {
        checkWritable();
        return new Transactions(session, this, room, PendingWrite.bytes(mutation))
                .run(mutation.row(), new Modification(schema.name(), mutation));
    }

    /**
     * Reads a row, decides, and writes it, as if nobody else wrote meanwhile: if what the transaction read has changed
     * before its changes are applied, it runs again, after a pause, for a minute at most (OVERLOADED then). So it may run
     * several times, and must do nothing that cannot be done twice. What it throws ends it, and nothing is written. Where it
     * throws, or changes nothing, and has read with several filters, what they showed is compared with what they show then,
     * and it runs again if that differs: what it was about may never have been.
     *
     * @return what the transaction that was applied returned
     */
    public <T> T transact(Bytes row, RowTransaction<T> transaction) throws BigtableException {
        return transact(row, transaction, PageRoom.UNBOUNDED);
    }

    /** The same; what it reads and writes finds room there. */
    <T> T transact(Bytes row, RowTransaction<T> transaction, PageRoom room) throws BigtableException {
        checkWritable();
        return new Transactions(session, this, room, 0).run(row, transaction);
    }

    /** What the server answers: see {@link bt.protocol.WriteResult}. */
    long write(RowMutation mutation, Optional<Condition> condition) throws BigtableException {
        return write(mutation, condition, session.deadline());
    }

    /** The same; it is not sent any more when the deadline is over. */
    long write(RowMutation mutation, Optional<Condition> condition, Deadline deadline) throws BigtableException {
        PendingWrite write = new PendingWrite(mutation, condition);
        WriteId id = Session.uninterrupted(
                () -> subject(write), Outcome.NOT_APPLIED, () -> session.openWrite(() -> subject(write), deadline));
        try {
            return finish(write.numbered(id), deadline);
        } finally {
            session.numbers().close(id);
        }
    }

    /** What the server answers to the write, which is not sent any more when the deadline is over. */
    long finish(PendingWrite write, Deadline deadline) throws BigtableException {
        checkWritable();
        try {
            new Writes(session, schema).finish(write, deadline);
        } catch (InterruptedException stopped) {
            // The write says how far it was.
            Thread.currentThread().interrupt();
        }
        return write.answer();
    }

    /** Tells the write what its first attempt came to, which was answered or has failed; whether that is the end of it. */
    boolean settle(PendingWrite write, Writes.Begun first) throws BigtableException {
        return Session.uninterrupted(
                () -> subject(write), Outcome.UNKNOWN, () -> new Writes(session, schema).settle(write, first));
    }

    private String subject(PendingWrite write) {
        return subject(write.row());
    }

    /** Of what is said of a row. */
    String subject(Bytes row) {
        return "table " + schema.name() + " row " + row.brief();
    }

    /** A row with everything in it; empty when it has no cell. Sees every write that was acknowledged before the call. */
    public Optional<Row> read(Bytes row) throws BigtableException {
        return read(row, Filter.ALL);
    }

    /** What the filter lets pass of a row; empty when that is nothing. */
    public Optional<Row> read(Bytes row, Filter filter) throws BigtableException {
        return read(row, filter, PageRoom.UNBOUNDED);
    }

    /** The same; its pages find room there. */
    Optional<Row> read(Bytes row, Filter filter, PageRoom room) throws BigtableException {
        return read(row, filter, room, session::deadline);
    }

    /** The same, of which the first page has been under way for some time already. */
    Optional<Row> read(Bytes row, Filter filter, PageRoom room, Deadline firstPage) throws BigtableException {
        Iterator<Deadline> begun = List.of(firstPage).iterator();
        return read(row, filter, room, () -> begun.hasNext() ? begun.next() : session.deadline());
    }

    /** The same, each page within this time. */
    Optional<Row> read(Bytes row, Filter filter, PageRoom room, Supplier<Deadline> time) throws BigtableException {
        return new RowRead(session, schema, row, filter, time).run(room);
    }

    /**
     * Several rows, each as {@link #read(Bytes)} returns it, in the order of these keys: they may stand in any, and more than
     * once. They are asked for together, in few requests, and each is as it was at one moment, different ones at different
     * moments. For so many as are in memory at once: a {@link #scan} of {@link RowSet#rows} takes any number.
     *
     * @return one for each key; empty where the row has no cell
     */
    public List<Optional<Row>> readAll(List<Bytes> rows) throws BigtableException {
        return readAll(rows, Filter.ALL);
    }

    /** The same of what the filter lets pass of each. */
    public List<Optional<Row>> readAll(List<Bytes> rows, Filter filter) throws BigtableException {
        return readAll(rows, filter, PageRoom.UNBOUNDED);
    }

    /** The same; their pages find room there. */
    List<Optional<Row>> readAll(List<Bytes> rows, Filter filter, PageRoom room) throws BigtableException {
        Map<Bytes, Row> found = new HashMap<>();
        try (Scanner scanner = scan(Scan.of(RowSet.rows(rows)).filtered(filter)).in(room)) {
            for (List<Row> some = scanner.some(room); !some.isEmpty(); some = scanner.some(room)) {
                some.forEach(row -> found.put(row.key(), row));
            }
        }
        return rows.stream().map(key -> Optional.ofNullable(found.get(key))).toList();
    }

    /** Whether a row has a cell: what {@link #read(Bytes)} returns is not empty. No value is sent for it. */
    public boolean exists(Bytes row) throws BigtableException {
        return read(row, ONE_KEY).isPresent();
    }

    /** Rows in the order of the scan (figure 3 of the paper). Nothing is asked before the first row is. */
    public Scanner scan(Scan scan) {
        return new Scanner(session, schema, scan);
    }

    /** Cells in the order of the scan, of rows that may be larger than memory. Nothing is asked before the first cell is. */
    public CellScanner cells(Scan scan) {
        return new CellScanner(session, schema, scan);
    }

    /**
     * A page of what {@link #cells} gives, in one request, for whoever keeps nothing between two pages: the first from
     * nowhere, each of the others from where the one before ended, with the same scan. The scan's limits are those of all
     * its pages together. REJECTED as {@link CellScanner#next} is inside a row of which what its first page saw is gone:
     * {@link CellPosition#latest} goes on there.
     */
    public CellPage cellPage(Scan scan, Optional<CellPosition> from) throws BigtableException {
        return cellPage(scan, from, PageRoom.UNBOUNDED);
    }

    /** The same; it finds room there. */
    CellPage cellPage(Scan scan, Optional<CellPosition> from, PageRoom room) throws BigtableException {
        return new CellPageRead(session, schema, scan, from).run(room);
    }

    /** For many writes: they are sent together, several requests at a time. To be closed. */
    public BatchWriter batch() throws RejectedException {
        checkWritable();
        session.ending().check(() -> "table " + schema.name());
        return new BatchWriter(session, schema);
    }

    /** The table's tablets in order of their rows, as METADATA tells them now. */
    public List<TabletInfo> tablets() throws BigtableException {
        List<MetadataRow> rows =
                Session.uninterrupted("table " + schema.name(), Outcome.NOT_APPLIED, () -> session.tablets(schema));
        return rows.stream().map(Table::info).toList();
    }

    /**
     * The same with what servers hold in memory counted too: for whoever weighs work by it. Of a server that does not
     * answer only the files are counted.
     */
    public List<TabletInfo> weighedTablets() throws BigtableException {
        return Session.uninterrupted("table " + schema.name(), Outcome.NOT_APPLIED, () -> {
            List<MetadataRow> rows = session.tablets(schema);
            Map<TabletId, Long> inMemory = new TabletCalls(session).memoryBytes(schema.id(), rows);
            return rows.stream()
                    .map(row -> info(row).withMemory(inMemory.getOrDefault(row.id(), 0L)))
                    .toList();
        });
    }

    /** METADATA is not. */
    boolean isWritable() {
        return schema.id() != TableSchema.METADATA_ID;
    }

    private void checkWritable() throws RejectedException {
        if (!isWritable()) {
            throw new RejectedException(
                    "METADATA is changed by its master and its servers alone",
                    "have tablets split or moved, or tables altered");
        }
    }

    private static TabletInfo info(MetadataRow row) {
        Optional<String> server = row.location().getPhase() == Phase.SERVING
                ? Optional.of(row.location().getAddress())
                : Optional.empty();
        long bytes = row.state().getFiles().stream()
                .mapToLong(FileReference::getBytes)
                .sum();
        return new TabletInfo(row.range(), server, bytes);
    }
}
