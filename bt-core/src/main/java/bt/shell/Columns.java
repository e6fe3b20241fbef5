package bt.shell;

import bt.model.ColumnKey;
import bt.model.Filter;
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

    Optional<Filter> filter() {
        List<Filter> either = new ArrayList<>();
        if (!families.isEmpty()) {
            either.add(new Filter.Families(List.copyOf(families)));
        }
        if (!columns.isEmpty()) {
            either.add(new Filter.Columns(List.copyOf(columns)));
        }
        return either.size() < 2 ? either.stream().findFirst() : Optional.of(new Filter.Interleave(either));
    }
}
