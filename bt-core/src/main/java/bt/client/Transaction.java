package bt.client;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.model.Cell;
import bt.model.Change;
import bt.model.ColumnKey;
import bt.model.Filter;
import bt.model.Row;
import bt.protocol.Condition.Seen;
import bt.protocol.RowDigest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One run of {@link Table#transact}: what it has read of its row, and what it wants written. Reads show the row as it is
 * without the changes of this transaction; the same filter shows the same twice. A transaction without changes writes
 * nothing and is not run again: of several reads each is as of a moment of its own. One thread.
 */
public final class Transaction {
    private final Table table;
    private final Bytes row;
    private final Map<Filter, Optional<Row>> reads = new LinkedHashMap<>();
    private final List<Change> changes = new ArrayList<>();

    Transaction(Table table, Bytes row) {
        this.table = table;
        this.row = row;
    }

    /** The row, with everything in it. Any change of it by others has the transaction run again. */
    public Optional<Row> read() throws BigtableException {
        return read(Filter.ALL);
    }

    /**
     * What the filter lets pass of the row: a transaction runs again only for changes in what it read, so it should read
     * what it needs. At most 100 filters in one transaction.
     */
    public Optional<Row> read(Filter filter) throws BigtableException {
        Optional<Row> known = reads.get(filter);
        if (known == null) {
            known = table.read(row, filter);
            reads.put(filter, known);
        }
        return known;
    }

    /** The newest value of a column. */
    public Optional<Bytes> value(ColumnKey column) throws BigtableException {
        Filter newest = new Filter.Chain(List.of(new Filter.Columns(List.of(column)), new Filter.Latest(1)));
        return read(newest).flatMap(found -> found.value(column));
    }

    /** Writes a cell at the server's time. */
    public Transaction set(ColumnKey column, Bytes value) {
        return change(new Change.SetCell(column, Change.SERVER_TIME, value));
    }

    /** All changes are applied together, when the transaction has returned. */
    public Transaction change(Change change) {
        changes.add(change);
        return this;
    }

    List<Change> changes() {
        return changes;
    }

    List<Seen> seen() {
        return reads.entrySet().stream()
                .map(read -> new Seen(read.getKey(), digest(read.getValue())))
                .toList();
    }

    private static Bytes digest(Optional<Row> read) {
        List<Cell> cells = read.map(Row::cells).orElse(List.of());
        return new RowDigest().add(cells).digest();
    }
}
