package bt.client;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Deadline;
import bt.base.RejectedException;
import bt.model.Cell;
import bt.model.Change;
import bt.model.ColumnKey;
import bt.model.Filter;
import bt.model.FilterRegexes;
import bt.model.Limits;
import bt.model.Regex;
import bt.model.Row;
import bt.model.RowMutation;
import bt.protocol.Condition;
import bt.protocol.Condition.Seen;
import bt.protocol.RowDigest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One run of {@link Table#transact}: what it has read of its row, and what it wants written. Reads show the row as it is
 * without the changes of this transaction; the same filter shows the same twice. Of several reads each is as of a moment of
 * its own, so the code may see what never was together; then it is run again, whatever it made of that. One thread. The
 * single-row transaction of section 3 of the paper.
 */
public final class Transaction {
    private final Table table;
    private final Bytes row;
    private final Deadline deadline;
    private final PageRoom room;
    private final Map<Filter, Optional<Row>> reads = new LinkedHashMap<>();
    private final List<Change> changes = new ArrayList<>();

    /** Of the filters of these reads, equal ones once, and what they unfold to: as a server counts them in the write. */
    private final Set<Regex> regexes = new HashSet<>();

    private long steps;

    /** @param room of what it reads */
    Transaction(Table table, Bytes row, Deadline deadline, PageRoom room) {
        this.table = table;
        this.row = row;
        this.deadline = deadline;
        this.room = room;
    }

    /**
     * The row, with everything in it. Any change of it by others has the transaction run again. Fails as
     * {@link Table#read(Bytes)} does: UNAVAILABLE or OVERLOADED when the time is over, CORRUPTION where a file is damaged, REJECTED without the right.
     */
    public Optional<Row> read() throws BigtableException {
        return read(Filter.ALL);
    }

    /**
     * What the filter lets pass of the row: a transaction runs again only for changes in what it read, so it should read
     * what it needs. REJECTED beyond 100 different filters in one transaction, or 200,000 steps of their regular expressions,
     * where equal ones count once and a read that failed counts nothing; all else as {@link #read()}.
     */
    public Optional<Row> read(Filter filter) throws BigtableException {
        Optional<Row> known = reads.get(filter);
        if (known == null) {
            Set<Regex> more = FilterRegexes.of(filter);
            more.removeAll(regexes);
            long moreSteps = more.stream().mapToLong(Regex::steps).sum();
            checkReads(moreSteps);
            known = Session.looked(() -> table.read(row, filter, room, () -> deadline));
            reads.put(filter, known);
            regexes.addAll(more);
            steps += moreSteps;
        }
        return known;
    }

    /** The newest value of a column; REJECTED and all else as {@link #read(Filter)}. */
    public Optional<Bytes> value(ColumnKey column) throws BigtableException {
        Filter newest = new Filter.Chain(List.of(new Filter.Columns(List.of(column)), new Filter.Latest(1)));
        return read(newest).flatMap(found -> found.value(column));
    }

    /** Writes a cell at the server's time. */
    public Transaction set(ColumnKey column, Bytes value) {
        return change(new Change.SetCell(column, Change.SERVER_TIME, value));
    }

    /** Writes a cell at a timestamp, as {@link RowMutation.Builder#set(ColumnKey, long, Bytes)} does. */
    public Transaction set(ColumnKey column, long timestamp, Bytes value) {
        return change(new Change.SetCell(column, timestamp, value));
    }

    /** Adds to a counter, whatever it is when the changes are applied: it need not be read before. */
    public Transaction increment(ColumnKey column, long amount) {
        return change(new Change.Increment(column, amount));
    }

    /** Writes bytes behind the newest value of the column, as it is when the changes are applied. */
    public Transaction append(ColumnKey column, Bytes value) {
        return change(new Change.Append(column, value));
    }

    /** Deletes all versions of the column. */
    public Transaction deleteColumn(ColumnKey column) {
        return change(new Change.DeleteColumn(column));
    }

    /** Deletes one version of the column: in microseconds since 1970 where timestamps are times. */
    public Transaction deleteVersion(ColumnKey column, long timestamp) {
        return change(new Change.DeleteVersion(column, timestamp));
    }

    /** Deletes all versions from {@code oldest} to {@code newest}, both included. */
    public Transaction deleteVersions(ColumnKey column, long oldest, long newest) {
        return change(new Change.DeleteVersions(column, oldest, newest));
    }

    /** Deletes all cells of the row in the family. */
    public Transaction deleteFamily(String family) {
        return change(new Change.DeleteFamily(family));
    }

    /** Deletes all cells of the row, in every family. */
    public Transaction deleteRow() {
        return change(new Change.DeleteRow());
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

    /**
     * Whether all that was read was there at one moment, that of the last read: the filters before it show the same still.
     * Nothing is asked for one read. Others' cells that were there, were not, and are again at the same timestamps, which
     * only who chooses timestamps can bring about, are taken for those that were there.
     */
    boolean isOfOneMoment() throws BigtableException {
        List<Filter> before = List.copyOf(reads.keySet()).subList(0, Math.max(0, reads.size() - 1));
        for (Filter filter : before) {
            Optional<Row> now = Session.looked(() -> table.read(row, filter, room, () -> deadline));
            if (!now.equals(reads.get(filter))) {
                return false;
            }
        }
        return true;
    }

    private void checkReads(long moreSteps) throws RejectedException {
        if (reads.size() == Condition.Shows.MAX_SEEN) {
            throw new RejectedException(
                    "table " + table.schema().name() + " row " + row.brief() + ": more than " + Condition.Shows.MAX_SEEN
                            + " different filters read in one transaction",
                    "read more with each, as" + " a filter of several columns does, or the whole row");
        }
        // All filters go with the write.
        if (steps + moreSteps > Limits.REQUEST_FILTER_STEPS) {
            throw new RejectedException(
                    "table " + table.schema().name() + " row " + row.brief()
                            + ": the regular expressions of the filters read in one transaction unfold to "
                            + (steps + moreSteps) + " steps, more than " + Limits.REQUEST_FILTER_STEPS,
                    "repeat less, or read more with each");
        }
    }

    private static Bytes digest(Optional<Row> read) {
        List<Cell> cells = read.map(Row::cells).orElse(List.of());
        return new RowDigest().add(cells).digest();
    }
}
