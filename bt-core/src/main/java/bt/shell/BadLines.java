package bt.shell;

import bt.shell.transfer.CellReader;
import bt.shell.transfer.MalformedCellException;
import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Lines of a file that are no cells, kept in another to be corrected and imported. One thread. */
final class BadLines implements Closeable {
    /** So many are told one by one; all are in the file. */
    private static final int TOLD = 20;

    private final Path source;
    private final @Nullable Path target;
    private final PrintStream err;
    private @Nullable BufferedWriter out;
    private long count;

    /**
     * None is kept yet.
     *
     * @param target made with the first line that is kept; without one none can be
     */
    BadLines(Path source, @Nullable Path target, PrintStream err) {
        this.source = source;
        this.target = target;
        this.err = err;
    }

    void keep(CellReader at, MalformedCellException what) throws IOException {
        BufferedWriter open = out;
        if (open == null && target != null) {
            open = Files.newBufferedWriter(target);
            out = open;
            open.write(at.header());
            open.newLine();
        }
        if (open != null) {
            open.write(at.text());
            open.newLine();
        }
        if (count++ < TOLD) {
            err.println(source + ", " + at.place() + ": " + what.getMessage());
        }
    }

    /** Tells how many there were; whether there were any. */
    boolean end() throws IOException {
        if (count > 0) {
            err.println(count + (count == 1 ? " line is" : " lines are") + " no cells; correct them in " + target
                    + " and import that");
        }
        return count > 0;
    }

    @Override
    public void close() throws IOException {
        BufferedWriter open = out;
        if (open != null) {
            open.close();
        }
    }
}
