package bt.shell.transfer;

import bt.base.Bytes;
import bt.model.Cell;
import bt.shell.transfer.CsvRecords.Field;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;

/** Reads cells from CSV: a first line of names, then records, of whose fields a {@link Meaning} makes cells. */
final class CsvReader implements CellReader {
    private final Meaning meaning;
    private final CsvRecords records;
    private final CsvHeader header;

    CsvReader(InputStream in, Meaning meaning, boolean raw) throws IOException, MalformedCellException {
        this.meaning = meaning;
        records = new CsvRecords(in);
        header = CsvHeader.read(records, raw);
        meaning.check(header);
    }

    /** What fields are by the names of their columns. */
    interface Meaning {
        /** That the first line names what there is to be. */
        void check(CsvHeader header) throws MalformedCellException;

        /** Those of a record that has a field for each name. */
        List<Cell> cells(CsvHeader header, List<Field> fields) throws MalformedCellException;
    }

    @Override
    public Optional<List<Cell>> next() throws IOException, MalformedCellException {
        Optional<List<Field>> record = records.next();
        if (record.isEmpty()) {
            return Optional.empty();
        }
        header.check(record.get());
        return Optional.of(meaning.cells(header, record.get()));
    }

    @Override
    public String place() {
        return records.place();
    }

    @Override
    public Bytes bytes() {
        return records.bytes();
    }

    @Override
    public String header() {
        return header.line();
    }

    @Override
    public void close() throws IOException {
        records.close();
    }
}
