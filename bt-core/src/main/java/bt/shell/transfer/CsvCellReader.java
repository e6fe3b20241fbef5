package bt.shell.transfer;

import bt.base.Bytes;
import bt.model.Cell;
import bt.model.Change;
import bt.model.ColumnKey;
import bt.model.Timestamps;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** Reads cells from CSV as {@link CsvCellWriter} shows it. The columns stand in any order; without timestamp, or where it is
 * empty, cells get the server's time. */
final class CsvCellReader implements CellReader {
    static final List<String> COLUMNS = List.of("row", "family", "qualifier", "timestamp", "value");

    private static final String TIMESTAMP = "timestamp";

    private final BufferedReader in;
    private final List<String> columns;
    private String text = "";
    private long line;

    CsvCellReader(InputStream in) throws IOException, MalformedCellException {
        this.in = new BufferedReader(new InputStreamReader(
                in,
                StandardCharsets.UTF_8
                        .newDecoder()
                        // A key that was read as something else would be another key.
                        .onMalformedInput(CodingErrorAction.REPORT)
                        .onUnmappableCharacter(CodingErrorAction.REPORT)));
        columns = readHeader();
    }

    @Override
    public Optional<Cell> next() throws IOException, MalformedCellException {
        if (!readLine()) {
            return Optional.empty();
        }
        List<String> fields = CsvLine.fields(text);
        if (fields.size() != columns.size()) {
            throw new MalformedCellException(fields.size() + " fields, the first line names " + columns.size()
                    + "; a field with a comma stands in quotes");
        }
        try {
            return Optional.of(cell(fields));
        } catch (IllegalArgumentException wrong) {
            throw new MalformedCellException(String.valueOf(wrong.getMessage()));
        }
    }

    @Override
    public String place() {
        return "line " + line;
    }

    @Override
    public String text() {
        return text;
    }

    @Override
    public String header() {
        return CsvLine.of(columns);
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    private List<String> readHeader() throws IOException, MalformedCellException {
        readLine();
        List<String> names = CsvLine.fields(text);
        boolean whole = names.containsAll(
                        COLUMNS.stream().filter(name -> !name.equals(TIMESTAMP)).toList())
                && COLUMNS.containsAll(names)
                && names.stream().distinct().count() == names.size();
        if (!whole) {
            throw new MalformedCellException("the first line names the columns " + String.join(",", COLUMNS)
                    + ", in any order, with or without timestamp");
        }
        return names;
    }

    private boolean readLine() throws IOException {
        String next;
        try {
            next = in.readLine();
        } catch (CharacterCodingException foreign) {
            throw new IOException(
                    "behind line " + line + " are bytes that are no UTF-8: write them \\xNN, or convert the file",
                    foreign);
        }
        if (next == null) {
            return false;
        }
        line++;
        text = next;
        return true;
    }

    private Cell cell(List<String> fields) throws MalformedCellException {
        ColumnKey column = new ColumnKey(field(fields, "family"), Bytes.parse(field(fields, "qualifier")));
        return new Cell(
                Bytes.parse(field(fields, "row")), column, timestamp(fields), Bytes.parse(field(fields, "value")));
    }

    private long timestamp(List<String> fields) throws MalformedCellException {
        String given = columns.contains(TIMESTAMP) ? field(fields, TIMESTAMP) : "";
        if (given.isEmpty()) {
            return Change.SERVER_TIME;
        }
        long timestamp;
        try {
            timestamp = Long.parseLong(given);
        } catch (NumberFormatException wrong) {
            throw new MalformedCellException(
                    "timestamp \"" + given + "\" is no whole number, of microseconds since 1970 as a rule");
        }
        return Timestamps.given(timestamp);
    }

    private String field(List<String> fields, String column) {
        return fields.get(columns.indexOf(column));
    }
}
