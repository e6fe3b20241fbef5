package bt.shell;

import bt.base.Bytes;
import bt.model.Cell;
import bt.model.ColumnKey;
import bt.model.Filter;
import bt.model.Row;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Which columns of a row: whole families and single columns; none named means all. */
final class Columns {
    private final Set<String> families = new LinkedHashSet<>();
    private final Set<ColumnKey> columns = new LinkedHashSet<>();

    /** Reads {@code FAMILY} and {@code FAMILY:QUALIFIER}. */
    static Columns parse(List<String> words) {
        Columns parsed = new Columns();
        for (String word : words) {
            if (word.indexOf(':') < 0) {
                parsed.families.add(word);
            } else {
                parsed.columns.add(ColumnKey.parse(word));
            }
        }
        return parsed;
    }

    /** What the server is to send: more than {@link #narrow} keeps if families and columns are mixed. */
    Optional<Filter> filter() {
        if (families.isEmpty() && columns.isEmpty()) {
            return Optional.empty();
        }
        if (families.isEmpty()) {
            return Optional.of(new Filter.Columns(List.copyOf(columns)));
        }
        Set<String> touched = new LinkedHashSet<>(families);
        columns.forEach(column -> touched.add(column.family()));
        return Optional.of(new Filter.Families(List.copyOf(touched)));
    }

    /** The row without what was not asked for; empty when nothing is left. */
    Optional<Row> narrow(Row row) {
        if (columns.isEmpty() || families.isEmpty()) {
            return Optional.of(row);
        }
        Bytes key = row.key();
        List<Cell> kept = new ArrayList<>(row.cells());
        kept.removeIf(cell -> !families.contains(cell.column().family()) && !columns.contains(cell.column()));
        return kept.isEmpty() ? Optional.empty() : Optional.of(new Row(key, kept));
    }
}
