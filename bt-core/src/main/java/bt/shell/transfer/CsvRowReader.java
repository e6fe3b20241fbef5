package bt.shell.transfer;

import bt.base.Bytes;
import bt.base.Messages;
import bt.model.Cell;
import bt.model.Change;
import bt.model.ColumnKey;
import bt.shell.transfer.CsvRecords.Field;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads rows from CSV of any columns: a record is a row, whose cells a {@link CsvMapping} finds. */
final class CsvRowReader implements CellReader {
    private final CsvRecords records;
    private final CsvMapping mapping;
    private final CsvHeader header;

    CsvRowReader(InputStream in, CsvMapping mapping, boolean raw) throws IOException, MalformedCellException {
        this.mapping = mapping;
        records = new CsvRecords(in);
        header = CsvHeader.read(records, raw);
        for (String name : mapping.names()) {
            if (!header.hasOne(name)) {
                throw new MalformedCellException((header.names().contains(name)
                                ? "line 1 has several columns " + Messages.name(name)
                                : "line 1 has no column " + Messages.name(name))
                        + ": it names " + Messages.oneLine(header()));
            }
        }
    }

    @Override
    public Optional<List<Cell>> next() throws IOException, MalformedCellException {
        Optional<List<Field>> record = records.next();
        return record.isEmpty() ? Optional.empty() : Optional.of(cells(record.get()));
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

    private List<Cell> cells(List<Field> fields) throws MalformedCellException {
        header.check(fields);
        Bytes row = header.bytes(fields, mapping.key());
        if (row.isEmpty()) {
            throw header.malformed(fields, mapping.key(), "the row key is empty");
        }
        Optional<String> stamped = mapping.timestamp();
        long timestamp = stamped.isPresent() ? header.timestamp(fields, stamped.get()) : Change.SERVER_TIME;
        List<Cell> cells = new ArrayList<>();
        for (Map.Entry<ColumnKey, String> column : mapping.columns().entrySet()) {
            String name = column.getValue();
            if (!header.field(fields, name).isAbsent()) {
                cells.add(new Cell(row, column.getKey(), timestamp, header.bytes(fields, name)));
            }
        }
        return cells;
    }
}
