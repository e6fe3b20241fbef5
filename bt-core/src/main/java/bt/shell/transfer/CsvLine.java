package bt.shell.transfer;

import java.util.List;

/** One line of CSV (RFC 4180), as it is written. {@link CsvRecords} reads it. */
final class CsvLine {
    private CsvLine() {}

    static String of(List<String> fields) {
        return String.join(",", fields.stream().map(CsvLine::quoted).toList());
    }

    private static String quoted(String field) {
        boolean plain = field.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
        return plain ? field : '"' + field.replace("\"", "\"\"") + '"';
    }
}
