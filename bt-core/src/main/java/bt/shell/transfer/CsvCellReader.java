package bt.shell.transfer;

import bt.base.Bytes;
import bt.model.Cell;
import bt.model.Change;
import bt.model.ColumnKey;
import bt.shell.transfer.CsvRecords.Field;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;

/** Reads cells from CSV as {@link CsvCellWriter} shows it. The columns stand in any order; without timestamp, or where it is
 * empty, cells get the server's time. */
final class CsvCellReader implements CellReader {
    static final List<String> COLUMNS = List.of("row", "family", "qualifier", "timestamp", "value");

    private static final String TIMESTAMP = "timestamp";

    private final CsvRecords records;
    private final CsvHeader header;

    CsvCellReader(InputStream in, boolean raw) throws IOException, MalformedCellException {
        records = new CsvRecords(in);
        header = CsvHeader.read(records, raw);
        List<String> names = header.names();
        boolean whole = COLUMNS.stream().allMatch(name -> name.equals(TIMESTAMP) || names.contains(name))
                && COLUMNS.containsAll(names)
                && names.stream().distinct().count() == names.size();
        if (!whole) {
            throw new MalformedCellException("line 1 names the columns " + String.join(",", COLUMNS)
                    + ", in any order, with or without timestamp; say what others are with --key and --columns");
        }
    }

    @Override
    public Optional<List<Cell>> next() throws IOException, MalformedCellException {
        Optional<List<Field>> record = records.next();
        return record.isEmpty() ? Optional.empty() : Optional.of(List.of(cell(record.get())));
    }

    @Override
    public String place() {
        return records.place();
    }

    @Override
    public String text() {
        return records.text();
    }

    @Override
    public String header() {
        return CsvLine.of(header.names());
    }

    @Override
    public void close() throws IOException {
        records.close();
    }

    private Cell cell(List<Field> fields) throws MalformedCellException {
        header.check(fields);
        Bytes row = header.bytes(fields, "row");
        String family = header.field(fields, "family").text();
        if (family.isEmpty()) {
            throw header.malformed(fields, "family", "a cell has a family: name one of the table's");
        }
        ColumnKey column = new ColumnKey(family, header.bytes(fields, "qualifier"));
        long timestamp = header.hasOne(TIMESTAMP) ? header.timestamp(fields, TIMESTAMP) : Change.SERVER_TIME;
        return new Cell(row, column, timestamp, header.bytes(fields, "value"));
    }
}
