package bt.shell.transfer;

import bt.base.Bytes;
import bt.base.MalformedTextException;
import bt.base.Messages;
import bt.model.Change;
import bt.model.Timestamps;
import bt.shell.transfer.CsvRecords.Field;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The names of a file's columns, from its first line, and the fields of a record by them. What a field has wrong is told with
 * the name of its column.
 *
 * @param raw whether a backslash in a field is a backslash
 */
record CsvHeader(List<String> names, boolean raw) {
    CsvHeader {
        names = List.copyOf(names);
    }

    /** Reads the first line. */
    static CsvHeader read(CsvRecords records, boolean raw) throws IOException, MalformedCellException {
        Optional<List<Field>> first;
        try {
            first = records.next();
        } catch (MalformedCellException wrong) {
            throw new MalformedCellException(records.place() + ": " + wrong.getMessage());
        }
        return new CsvHeader(first.orElse(List.of()).stream().map(Field::text).toList(), raw);
    }

    /** As the first line says them. */
    String line() {
        return CsvLine.of(names);
    }

    boolean hasOne(String name) {
        return Collections.frequency(names, name) == 1;
    }

    /** That the record has a field for each name. */
    void check(List<Field> fields) throws MalformedCellException {
        if (fields.size() != names.size()) {
            throw new MalformedCellException(fields.size() + " fields, the first line names " + names.size()
                    + "; a field with a comma stands in quotes");
        }
    }

    Field field(List<Field> fields, String name) {
        return fields.get(names.indexOf(name));
    }

    /** What the field stands for: its text as it is, or with escapes. */
    Bytes bytes(List<Field> fields, String name) throws MalformedCellException {
        String text = field(fields, name).text();
        if (raw) {
            return Bytes.utf8(text);
        }
        try {
            return Bytes.parse(text);
        } catch (MalformedTextException wrong) {
            throw malformed(
                    fields,
                    name,
                    "a backslash begins \\\\ or \\xNN, not so at character " + (wrong.at() + 1)
                            + "; --raw takes fields as they stand");
        }
    }

    /** The server's time where there is none. */
    long timestamp(List<Field> fields, String name) throws MalformedCellException {
        String given = field(fields, name).text();
        if (given.isEmpty()) {
            return Change.SERVER_TIME;
        }
        long timestamp;
        try {
            timestamp = Long.parseLong(given);
        } catch (NumberFormatException wrong) {
            throw malformed(
                    fields,
                    name,
                    "\"" + Messages.name(given) + "\" is no whole number, of microseconds since 1970 as a rule");
        }
        try {
            return Timestamps.given(timestamp);
        } catch (IllegalArgumentException none) {
            throw malformed(fields, name, String.valueOf(none.getMessage()));
        }
    }

    MalformedCellException malformed(List<Field> fields, String name, String wrong) {
        long line = field(fields, name).line();
        String place = line == fields.get(0).line() ? "" : "line " + line + ", ";
        return new MalformedCellException(place + "column " + Messages.name(name) + ": " + wrong);
    }
}
