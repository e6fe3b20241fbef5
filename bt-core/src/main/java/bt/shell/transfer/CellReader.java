package bt.shell.transfer;

import bt.model.Cell;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;

/** Reads cells from a file, in its order. One thread. */
public sealed interface CellReader extends Closeable permits CsvCellReader, AvroCellReader {
    /**
     * The next cell, with the timestamp {@link bt.model.Change#SERVER_TIME} where the file says none; empty at the end. After
     * a cell that is malformed the next call goes on behind it, if the format allows.
     */
    Optional<Cell> next() throws IOException, MalformedCellException;

    /** Where in its file the last cell was, as in "line 17". */
    String place();

    /** What the last cell looked like in the file, for who keeps those that cannot be read; empty if that is no text. */
    String text();

    /** What comes before the cells of such a file; empty if that is no text. */
    String header();
}
