package bt.shell.transfer;

import java.util.ArrayList;
import java.util.List;

/** One line of CSV (RFC 4180) and its fields. No field holds a line end: a byte of that value is written {@code \x0a}. */
final class CsvLine {
    private CsvLine() {}

    static String of(List<String> fields) {
        return String.join(",", fields.stream().map(CsvLine::quoted).toList());
    }

    static List<String> fields(String line) throws MalformedCellException {
        List<String> fields = new ArrayList<>();
        StringBuilder field = new StringBuilder();
        int at = 0;
        while (true) {
            boolean quoted = at < line.length() && line.charAt(at) == '"';
            at = quoted ? readQuoted(line, at + 1, field) : readPlain(line, at, field);
            fields.add(field.toString());
            field.setLength(0);
            if (at == line.length()) {
                return fields;
            }
            if (line.charAt(at) != ',') {
                throw new MalformedCellException(
                        "character " + (at + 1) + ": a comma or the line's end comes behind a quoted field");
            }
            at++;
        }
    }

    private static int readPlain(String line, int from, StringBuilder field) throws MalformedCellException {
        int comma = line.indexOf(',', from);
        int end = comma < 0 ? line.length() : comma;
        String text = line.substring(from, end);
        if (text.indexOf('"') >= 0) {
            throw new MalformedCellException("character " + (from + text.indexOf('"') + 1)
                    + ": a field with a quote stands in quotes, in which it is doubled");
        }
        field.append(text);
        return end;
    }

    private static int readQuoted(String line, int from, StringBuilder field) throws MalformedCellException {
        int at = from;
        while (true) {
            int quote = line.indexOf('"', at);
            if (quote < 0) {
                throw new MalformedCellException("character " + from
                        + ": this quote is not closed on its line; a line end inside a field is written \\x0a");
            }
            field.append(line, at, quote);
            if (!line.startsWith("\"\"", quote)) {
                return quote + 1;
            }
            field.append('"');
            at = quote + 2;
        }
    }

    private static String quoted(String field) {
        boolean plain = field.indexOf(',') < 0 && field.indexOf('"') < 0;
        return plain ? field : '"' + field.replace("\"", "\"\"") + '"';
    }
}
