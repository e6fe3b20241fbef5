package bt.shell.transfer;

import bt.base.BigtableException;
import bt.client.BatchWriter;
import bt.client.Table;
import bt.model.Cell;
import bt.model.Change;
import bt.model.FamilySchema;
import bt.model.Limits;
import bt.model.Timestamps;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;

/**
 * Writes the cells of a file to a table. To write a cell with a timestamp once more changes nothing, so that an import that
 * ended early is begun again. One thread.
 */
public final class Import {
    private final Table table;
    private final Map<String, FamilySchema> families;
    private final Stamps stamps;

    /** Into a table whose families are those of its schema now. */
    public Import(Table table, Stamps stamps) {
        this.table = table;
        this.stamps = stamps;
        families = table.schema().families().stream().collect(Collectors.toMap(FamilySchema::name, family -> family));
    }

    /** Who gives the timestamps. */
    public enum Stamps {
        /** The file, and servers where it has none. */
        FILE,
        /** Servers, to each cell. What stands later in the file is newer. */
        SERVERS,
        /**
         * Servers, in a file in which the newest version of a column comes first: it alone is written of those that stand
         * together with timestamps, for the last that is written would be the newest.
         */
        SERVERS_TO_THE_FIRST
    }

    /** What becomes of a cell that cannot be written. */
    @FunctionalInterface
    public interface Malformed {
        /** Goes on behind it when this returns; what this throws ends the import: IOException where it cannot be kept, say. */
        void found(CellReader at, MalformedCellException what) throws BigtableException, IOException;
    }

    /**
     * Writes them all; when it returns or throws, all cells before are written or told of. Where the file ends it, what could not
     * be written of those before is suppressed in what is thrown.
     * IOException where the file cannot be read, and the five kinds of {@link bt.base.BigtableException} as a {@link BatchWriter} has them.
     *
     * @param progress is told how many cells were read so far, after each
     * @return how many cells were written
     */
    public long run(CellReader cells, Malformed malformed, LongConsumer progress)
            throws BigtableException, IOException {
        try (BatchWriter batch = table.batch();
                MutationGatherer gatherer = new MutationGatherer(batch, cells::place)) {
            return copy(cells, gatherer, malformed, progress);
        }
    }

    private long copy(CellReader cells, MutationGatherer gatherer, Malformed malformed, LongConsumer progress)
            throws BigtableException, IOException {
        Optional<Cell> before = Optional.empty();
        for (long written = 0; ; ) {
            List<Cell> record;
            try {
                Optional<List<Cell>> read = cells.next();
                if (read.isEmpty()) {
                    return written;
                }
                record = read.get();
                // All of a record before any: one that is set aside has left nothing.
                for (Cell cell : record) {
                    check(stamped(cell));
                }
            } catch (MalformedCellException wrong) {
                malformed.found(cells, wrong);
                continue;
            }
            for (Cell cell : record) {
                if (stamps != Stamps.SERVERS_TO_THE_FIRST || !isVersionOf(before, cell)) {
                    gatherer.add(stamped(cell));
                    written++;
                    progress.accept(written);
                }
                before = Optional.of(cell);
            }
        }
    }

    private Cell stamped(Cell cell) {
        return stamps == Stamps.FILE ? cell : new Cell(cell.row(), cell.column(), Change.SERVER_TIME, cell.value());
    }

    /** Another one, by the file's own timestamps. */
    private static boolean isVersionOf(Optional<Cell> before, Cell cell) {
        return before.isPresent()
                && before.get().row().equals(cell.row())
                && before.get().column().equals(cell.column())
                && before.get().timestamp() != Change.SERVER_TIME
                && cell.timestamp() != Change.SERVER_TIME;
    }

    /** What a server would refuse, while its place in the file is known. */
    private void check(Cell cell) throws MalformedCellException {
        FamilySchema family = families.get(cell.column().family());
        if (family == null) {
            throw new MalformedCellException("table " + table.schema().name() + " has no family "
                    + cell.column().family() + ": add it with bt alter, or name one that it has");
        }
        checkBytes("row key", cell.row().length(), Limits.ROW_BYTES);
        checkBytes("qualifier", cell.column().qualifier().length(), Limits.QUALIFIER_BYTES);
        checkBytes("value of " + cell.column().brief(), cell.value().length(), Limits.VALUE_BYTES);
        if (cell.row().isEmpty()) {
            throw new MalformedCellException("the row key is empty");
        }
        Optional<Timestamps.Refusal> refused =
                family.timestamps().refuses(new Change.SetCell(cell.column(), cell.timestamp(), cell.value()));
        if (refused.isPresent()) {
            throw new MalformedCellException("family " + family.name() + ": "
                    + refused.get().fact() + ": " + refused.get().advice());
        }
    }

    private static void checkBytes(String what, int bytes, int most) throws MalformedCellException {
        if (bytes > most) {
            throw new MalformedCellException("the " + what + " has " + bytes + " bytes, " + most + " are allowed");
        }
    }
}
