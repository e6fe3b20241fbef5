package bt.shell.transfer;

import bt.base.Bytes;
import bt.model.Cell;
import bt.model.Change;
import bt.model.ColumnKey;
import bt.shell.transfer.CsvRecords.Field;
import java.util.List;

/**
 * CSV as {@link CsvCellWriter} shows it: a record is a cell. The columns stand in any order; without timestamp, or where it is
 * empty, cells get the server's time.
 */
record ExportedCells() implements CsvReader.Meaning {
    static final List<String> COLUMNS = List.of("row", "family", "qualifier", "timestamp", "value");

    private static final String TIMESTAMP = "timestamp";

    @Override
    public void check(CsvHeader header) throws MalformedCellException {
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
    public List<Cell> cells(CsvHeader header, List<Field> fields) throws MalformedCellException {
        Bytes row = header.bytes(fields, "row");
        String family = header.field(fields, "family").text();
        if (family.isEmpty()) {
            throw header.malformed(fields, "family", "a cell has a family: name one of the table's");
        }
        ColumnKey column = new ColumnKey(family, header.bytes(fields, "qualifier"));
        long timestamp = header.hasOne(TIMESTAMP) ? header.timestamp(fields, TIMESTAMP) : Change.SERVER_TIME;
        return List.of(new Cell(row, column, timestamp, header.bytes(fields, "value")));
    }
}
