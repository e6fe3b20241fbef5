package bt.doctor;

import bt.model.RowRange;
import java.util.Optional;

/** Where something is wrong: table, rows, and path in the file store or name of a server, as far as it has them. */
public record Place(String table, Optional<RowRange> rows, String file) {
    static final Place CLUSTER = new Place("", Optional.empty(), "");

    static Place file(String path) {
        return new Place("", Optional.empty(), path);
    }

    Place of(String path) {
        return new Place(table, rows, path);
    }

    /** The same thing, though the tablet may have other rows by now. */
    boolean isStill(Place that) {
        return table.equals(that.table) && file.equals(that.file);
    }

    /** In one line. */
    @Override
    public String toString() {
        String where = table.isEmpty() ? "" : "table " + table;
        if (rows.isPresent()) {
            RowRange range = rows.get();
            where += " rows [" + range.start() + ", "
                    + range.end().map(end -> end + ")").orElse("…)");
        }
        return (file.isEmpty() ? where : where + " " + file).strip();
    }
}
