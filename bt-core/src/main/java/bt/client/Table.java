package bt.client;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.metadata.MetadataRow;
import bt.model.Filter;
import bt.model.Row;
import bt.model.RowMutation;
import bt.model.RowRange;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.record.FileReference;
import bt.record.Phase;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An open table (section 3 of the paper). Any thread. Every method retries what is UNAVAILABLE or OVERLOADED for a minute
 * and throws it then; REJECTED at once for an unknown family, a row key that is empty or above 64 KiB, or a table that
 * was dropped meanwhile.
 */
public final class Table {
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
     *     there was none
     */
    public long apply(RowMutation mutation) throws BigtableException {
        checkWritable();
        PendingWrite write = new PendingWrite(mutation, session.numbers().open());
        try {
            return Session.uninterrupted("table " + schema.name() + " row " + mutation.row(), Outcome.UNKNOWN, () -> {
                new Writes(session, schema).finish(List.of(write));
                return write.timestamp();
            });
        } finally {
            session.numbers().close(write.id());
        }
    }

    /** A row with everything in it; empty when it has no cell. Sees every write that was acknowledged before the call. */
    public Optional<Row> read(Bytes row) throws BigtableException {
        return read(row, Filter.ALL);
    }

    /** What the filter lets pass of a row; empty when that is nothing. */
    public Optional<Row> read(Bytes row, Filter filter) throws BigtableException {
        try (Scanner scanner = scan(Scan.of(RowRange.row(row)).filtered(filter))) {
            return scanner.next();
        }
    }

    /** Rows in order of their keys (figure 3 of the paper). Nothing is asked before the first row is. */
    public Scanner scan(Scan scan) {
        return new Scanner(session, schema, scan);
    }

    /** For many writes: they are sent together, several requests at a time. To be closed. */
    public BatchWriter batch() throws RejectedException {
        checkWritable();
        return new BatchWriter(session, schema);
    }

    /** The table's tablets in order of their rows, as METADATA tells them now. */
    public List<TabletInfo> tablets() throws BigtableException {
        List<MetadataRow> rows =
                Session.uninterrupted("table " + schema.name(), Outcome.NOT_APPLIED, () -> session.metadata()
                        .scan(schema.id(), schema.id()));
        return rows.stream().map(Table::info).toList();
    }

    /**
     * The same with what servers hold in memory counted too: for whoever weighs work by it. Of a server that does not
     * answer only the files are counted.
     */
    public List<TabletInfo> weighedTablets() throws BigtableException {
        return Session.uninterrupted("table " + schema.name(), Outcome.NOT_APPLIED, () -> {
            List<MetadataRow> rows = session.metadata().scan(schema.id(), schema.id());
            Map<TabletId, Long> inMemory = new TabletCalls(session).memoryBytes(schema.id(), rows);
            return rows.stream()
                    .map(row -> info(row).withMemory(inMemory.getOrDefault(row.id(), 0L)))
                    .toList();
        });
    }

    private void checkWritable() throws RejectedException {
        if (schema.id() == TableSchema.METADATA_ID) {
            throw new RejectedException("METADATA is changed by its master and its servers alone");
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
