package bt.shell;

import bt.base.Bytes;
import bt.shell.transfer.CellReader;
import bt.shell.transfer.MalformedCellException;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
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
    private @Nullable OutputStream out;
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
        OutputStream open = out;
        if (open == null && target != null) {
            open = new BufferedOutputStream(Files.newOutputStream(target));
            out = open;
            write(Bytes.utf8(at.header()), open);
        }
        if (open != null) {
            write(at.bytes(), open);
        }
        if (count++ < TOLD) {
            err.println(source + ", " + at.place() + ": " + what.getMessage());
        }
    }

    /** As it stands in the file, of which not all may be text. */
    private static void write(Bytes line, OutputStream to) throws IOException {
        to.write(line.toArray());
        to.write(System.lineSeparator().getBytes(StandardCharsets.UTF_8));
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
        OutputStream open = out;
        if (open != null) {
            open.close();
        }
    }
}
