package bt.client;

import static bt.base.Check.checkGiven;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Output;
import bt.base.RejectedException;
import bt.model.Cell;
import bt.model.Change;
import bt.model.ColumnKey;
import bt.model.Counter;
import bt.model.Filter;
import bt.model.Limits;
import bt.model.Row;
import bt.model.RowMutation;
import bt.protocol.Condition;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A mutation that answers the value of each of its increments and appends. The servers remember one number of a write, so
 * it is a transaction: of what it has read, which is still there when it is applied, the values follow. One thread at a
 * time.
 */
final class Modification implements RowTransaction<Map<ColumnKey, Bytes>> {
    private final String subject;
    private final RowMutation mutation;
    private final List<List<ColumnKey>> portions;

    /** REJECTED where what it changes cannot be read by its names. */
    Modification(String table, RowMutation mutation) throws RejectedException {
        this.subject = "table " + table + " row " + mutation.row().brief();
        this.mutation = mutation;
        List<ColumnKey> columns = mutation.changes().stream()
                .flatMap(change -> change.changed().stream())
                .toList();
        checkGiven(
                !columns.isEmpty(),
                "%s: a mutation without an increment or an append has no values to answer",
                "apply it",
                subject);
        for (ColumnKey column : columns) {
            if (column.qualifier().length() > Limits.NAMED_QUALIFIER_BYTES) {
                throw new RejectedException(
                        subject + " column " + column.brief() + ": a qualifier of "
                                + column.qualifier().length()
                                + " bytes, and what answers values names the columns that it reads,"
                                + " with " + Limits.NAMED_QUALIFIER_BYTES
                                + " bytes at most",
                        "apply the mutation, which answers none");
            }
        }
        portions = Filter.Columns.portions(columns);
        if (portions.size() > Condition.Shows.MAX_SEEN) {
            throw new RejectedException(
                    subject + ": the names of " + columns.size() + " increments and appends are longer"
                            + " than what answers their values reads",
                    "take fewer at a time, or apply the mutation, which answers" + " none");
        }
    }

    @Override
    public Map<ColumnKey, Bytes> run(Transaction tx) throws BigtableException {
        Map<ColumnKey, Bytes> before = newest(tx);
        Map<ColumnKey, Bytes> values = new LinkedHashMap<>();
        for (Change change : mutation.changes()) {
            if (change instanceof Change.Increment increment) {
                values.put(increment.column(), sum(before, increment));
            } else if (change instanceof Change.Append append) {
                values.put(append.column(), joined(before, append));
            }
            tx.change(change);
        }
        return values;
    }

    private Map<ColumnKey, Bytes> newest(Transaction tx) throws BigtableException {
        Map<ColumnKey, Bytes> newest = new LinkedHashMap<>();
        for (List<ColumnKey> portion : portions) {
            Optional<Row> row = tx.read(Filter.chain(List.of(new Filter.Columns(portion), new Filter.Latest(1))));
            row.ifPresent(found -> {
                for (Cell cell : found.cells()) {
                    newest.put(cell.column(), cell.value());
                }
            });
        }
        return newest;
    }

    private Bytes sum(Map<ColumnKey, Bytes> before, Change.Increment increment) throws BigtableException {
        Bytes count = before.get(increment.column());
        try {
            return Counter.encode(Math.addExact(count == null ? 0 : Counter.decode(count), increment.amount()));
        } catch (IllegalArgumentException | ArithmeticException refused) {
            throw RejectedException.of(
                            subject + " column " + increment.column().brief(),
                            refused,
                            "increment what is a counter, by less")
                    .causedBy(refused);
        }
    }

    private static Bytes joined(Map<ColumnKey, Bytes> before, Change.Append append) {
        Bytes start = before.getOrDefault(append.column(), Bytes.EMPTY);
        return new Output(start.length() + append.value().length())
                .raw(start)
                .raw(append.value())
                .toBytes();
    }
}
