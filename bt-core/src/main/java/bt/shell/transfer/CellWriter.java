package bt.shell.transfer;

import bt.model.Cell;
import java.io.Closeable;
import java.io.IOException;

/** Writes cells to a file. One thread. The file is whole when it is closed without an exception. */
public sealed interface CellWriter extends Closeable permits CsvCellWriter, AvroCellWriter {
    /** Behind those that were written before. IOException where the file takes no more. */
    void write(Cell cell) throws IOException;
}
