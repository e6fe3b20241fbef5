package bt.model;

import bt.base.Bytes;
import bt.base.MistakeException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * That increments and appends have their columns for themselves. They depend on what the row held before the mutation; if
 * another change had the column too, which of both came first would matter, and nobody would see it.
 */
final class Alone {
    private final Set<ColumnKey> columns = new HashSet<>();
    private final Set<String> families = new HashSet<>();

    private final Bytes row;

    private Alone(Bytes row) {
        this.row = row;
    }

    static void check(Bytes row, List<Change> changes) {
        // Most mutations have none, and every one is asked.
        if (isNeeded(changes)) {
            Alone alone = new Alone(row);
            for (Change change : changes) {
                change.changed().ifPresent(alone::enter);
            }
            changes.forEach(alone::check);
        }
    }

    /** Whether any of the changes depends on what its row holds. */
    static boolean isNeeded(List<Change> changes) {
        for (int i = 0; i < changes.size(); i++) {
            if (changes.get(i).changed().isPresent()) {
                return true;
            }
        }
        return false;
    }

    private void enter(ColumnKey column) {
        if (!columns.add(column)) {
            throw new MistakeException(
                    "row " + row.brief() + ": column " + column.brief()
                            + " is incremented or appended to twice in one mutation",
                    "add the two up, or use two mutations");
        }
        families.add(column.family());
    }

    private void check(Change change) {
        boolean meets =
                switch (change.kind()) {
                    case SET_CELL -> columns.contains(((Change.SetCell) change).column());
                    case DELETE_ROW -> true;
                    case DELETE_FAMILY -> families.contains(((Change.DeleteFamily) change).family());
                    case DELETE_COLUMN -> columns.contains(((Change.DeleteColumn) change).column());
                    case DELETE_VERSIONS -> columns.contains(((Change.DeleteVersions) change).column());
                    case DELETE_VERSION -> columns.contains(((Change.DeleteVersion) change).column());
                    case INCREMENT, APPEND -> false;
                };
        if (meets) {
            throw new MistakeException(
                    "row " + row.brief() + ": " + change.kind()
                            + " of a column that the same mutation increments or appends to",
                    "use a mutation of its own");
        }
    }
}
