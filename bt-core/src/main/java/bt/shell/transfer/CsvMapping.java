package bt.shell.transfer;

import static bt.base.Check.checkGiven;

import bt.base.Bytes;
import bt.base.Messages;
import bt.model.ColumnKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which columns of somebody's CSV, by the names in its first line, are what of a table.
 *
 * @param key the column of row keys
 * @param timestamp that of the timestamps, in microseconds since 1970; without one servers give them
 * @param columns for columns of the table those of the file that have their values
 */
public record CsvMapping(String key, Optional<String> timestamp, Map<ColumnKey, String> columns) {
    public CsvMapping {
        columns = Collections.unmodifiableMap(new LinkedHashMap<>(columns));
    }

    /**
     * Reads words {@code name=family:qualifier}, in which a comma or an equals sign of a name is {@code \x2c} or {@code
     * \x3d}; IllegalArgumentException for others.
     */
    public static CsvMapping parse(String key, Optional<String> timestamp, List<String> words) {
        Map<ColumnKey, String> columns = new LinkedHashMap<>();
        for (String word : words) {
            int equals = word.indexOf('=');
            checkGiven(
                    equals > 0,
                    "\"%s\" is not name=family:qualifier",
                    "put the name of a column of the file first",
                    Messages.name(word));
            ColumnKey column = ColumnKey.parse(word.substring(equals + 1));
            checkGiven(
                    columns.put(column, name(word.substring(0, equals))) == null,
                    "%s is given the values of two columns",
                    "name it once",
                    column.brief());
        }
        return new CsvMapping(name(key), timestamp.map(CsvMapping::name), columns);
    }

    /** Of the file's columns those that are needed. */
    List<String> names() {
        List<String> names = new ArrayList<>(List.of(key));
        timestamp.ifPresent(names::add);
        names.addAll(columns.values());
        return names;
    }

    private static String name(String word) {
        return Bytes.parse(word).toUtf8();
    }
}
