package bt.shell.transfer;

import bt.base.Bytes;
import bt.base.Messages;
import bt.model.Cell;
import bt.model.Change;
import bt.model.ColumnKey;
import bt.shell.transfer.CsvRecords.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Somebody's CSV, of any columns: a record is a row, whose cells a {@link CsvMapping} finds. */
record MappedCells(CsvMapping mapping) implements CsvReader.Meaning {
    @Override
    public void check(CsvHeader header) throws MalformedCellException {
        for (String name : mapping.names()) {
            if (!header.hasOne(name)) {
                throw new MalformedCellException((header.names().contains(name)
                                ? "line 1 has several columns " + Messages.name(name)
                                : "line 1 has no column " + Messages.name(name))
                        + ": it names " + Messages.oneLine(header.line()));
            }
        }
    }

    @Override
    public List<Cell> cells(CsvHeader header, List<Field> fields) throws MalformedCellException {
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
