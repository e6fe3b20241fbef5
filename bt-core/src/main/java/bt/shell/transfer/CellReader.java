package bt.shell.transfer;

import bt.base.Bytes;
import bt.model.Cell;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Reads cells from a file, in its order. One thread. */
public sealed interface CellReader extends Closeable permits CsvReader, AvroCellReader {
    /**
     * The cells of the next record, all of one row, with the timestamp {@link bt.model.Change#SERVER_TIME} where the file says
     * none; empty at the end. After a record that is malformed the next call goes on behind it, if the format allows.
     * IOException where it cannot be read.
     */
    Optional<List<Cell>> next() throws IOException, MalformedCellException;

    /** Where in its file the last record was, also one that could not be read, as in "line 17". */
    String place();

    /** The last record as it stands in the file, for who keeps those that are no cells; empty if that is no line. */
    Bytes bytes();

    /** What comes before the cells of such a file; empty if that is no text. */
    String header();
}
