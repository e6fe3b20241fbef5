package bt.examples.recovery;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.client.Table;
import bt.model.Cell;
import bt.model.ColumnKey;
import bt.model.Filter;
import bt.model.Row;
import bt.model.RowMutation;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Writes the next number into a row and reads it back; remembers every number that was acknowledged. One worker. */
final class RowChore implements Chore {
    private static final ColumnKey COLUMN = ColumnKey.of(TrialTable.FAMILY, "number");

    private final Table table;
    private final String row;
    private final Set<Long> acknowledged = new TreeSet<>();
    private long lost;

    RowChore(Table table, String row) {
        this.table = table;
        this.row = row;
    }

    @Override
    public void carryOut(long number) throws BigtableException {
        Bytes value = Bytes.utf8(row + "=" + number);
        table.apply(RowMutation.of(row).set(COLUMN, number, value).build());
        acknowledged.add(number);
        Optional<Row> read = table.read(Bytes.utf8(row), new Filter.Latest(1));
        if (!read.flatMap(found -> found.value(COLUMN)).equals(Optional.of(value))) {
            lost++;
        }
    }

    @Override
    public long lostWrites() throws BigtableException {
        Set<Long> found = table.read(Bytes.utf8(row))
                .map(read -> read.cells().stream().map(Cell::timestamp).collect(Collectors.toSet()))
                .orElseGet(Set::of);
        return lost
                + acknowledged.stream()
                        .filter(number -> !found.contains(number))
                        .count();
    }
}
