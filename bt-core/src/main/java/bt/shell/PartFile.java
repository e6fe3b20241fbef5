package bt.shell;

import bt.base.ThreadScheduler;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * A file that is there when all is in it: until then it stands beside that as {@code FILE.part}, which goes where it does not come
 * to that, also when the process is told to end. Only who kills the process leaves it. One that is there is another's, and is left
 * alone. One thread.
 */
final class PartFile implements Closeable {
    private final Path file;
    private final Path part;
    private final OutputStream out;
    private final PrintStream err;
    private final Runnable stayAtExit;

    /** Whether a file of that name is ours: told to end in between, neither another's goes nor ours stays. */
    private volatile boolean ours;

    private PartFile(Path file, PrintStream err) throws IOException {
        this.file = file;
        this.err = err;
        part = partOf(file);
        if (Files.exists(part)) {
            throw new FileAlreadyExistsException(part.toString());
        }
        ours = true;
        stayAtExit = ThreadScheduler.untilExit("remove an unfinished file", this::remove);
        out = create();
    }

    /**
     * A new one; FileAlreadyExistsException where there is one of that name.
     *
     * @param err is told where it is removed
     */
    static PartFile open(Path file, PrintStream err) throws IOException {
        return new PartFile(file, err);
    }

    private OutputStream create() throws IOException {
        boolean done = false;
        try {
            OutputStream created = Files.newOutputStream(part, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
            done = true;
            return created;
        } finally {
            if (!done) {
                ours = false;
                stayAtExit.run();
            }
        }
    }

    static Path partOf(Path file) {
        return file.resolveSibling(file.getFileName() + ".part");
    }

    OutputStream out() {
        return out;
    }

    /** All is written, and the stream closed: the file is there. */
    void finish() throws IOException {
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
        ours = false;
    }

    @Override
    public void close() throws IOException {
        stayAtExit.run();
        try (out) {
            remove();
        }
    }

    private void remove() {
        try {
            if (ours && Files.deleteIfExists(part)) {
                err.println(part + " is removed, for it was not finished");
            }
        } catch (IOException stays) {
            err.println(part + " was not finished and cannot be removed: " + FileProblem.of(stays));
        }
    }
}
