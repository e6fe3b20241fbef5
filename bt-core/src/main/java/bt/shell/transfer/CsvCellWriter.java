package bt.shell.transfer;

import bt.model.Cell;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Writes cells as CSV, a line each:
 *
 * <pre>
 * row,family,qualifier,timestamp,value
 * com.cnn.www,anchor,cnnsi.com,1700000000000000,CNN
 * </pre>
 *
 * Bytes that are no printable ASCII are written {@code \xNN}. See docs/formats/export.md.
 */
final class CsvCellWriter implements CellWriter {
    private final Writer out;
    private boolean begun;

    CsvCellWriter(OutputStream out) {
        this.out = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
    }

    @Override
    public void write(Cell cell) throws IOException {
        begin();
        line(List.of(
                cell.row().toString(),
                cell.column().family(),
                cell.column().qualifier().toString(),
                Long.toString(cell.timestamp()),
                cell.value().toString()));
    }

    @Override
    public void close() throws IOException {
        begin();
        out.close();
    }

    private void begin() throws IOException {
        if (!begun) {
            begun = true;
            line(ExportedCells.COLUMNS);
        }
    }

    private void line(List<String> fields) throws IOException {
        out.write(CsvLine.of(fields));
        out.write('\n');
    }
}
