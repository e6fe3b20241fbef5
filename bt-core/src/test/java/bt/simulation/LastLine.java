package bt.simulation;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The last line that a build says: what came of a campaign. The test leaves it in a file. Before the tests the build has
 * Ant execute this class as a task, inside Maven's own process, to have the line printed when that ends, whatever comes of
 * the build.
 */
public final class LastLine {
    private String file = "";
    private String line = "";

    /** Leaves the line, where the build told the tests to. */
    static void write(String line) {
        String file = System.getProperty("bt.lastLine", "");
        if (!file.isEmpty()) {
            try {
                Files.write(Path.of(file), List.of(line));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Where the test leaves the line. */
    public void setFile(String file) {
        this.file = file;
    }

    /** What is said if no test leaves any. */
    public void setLine(String line) {
        this.line = line;
    }

    /** As a task of Ant, which knows it by this method's name. */
    public void execute() throws IOException {
        Path path = Path.of(file).toAbsolutePath();
        Files.write(path, List.of(line));
        Runtime.getRuntime().addShutdownHook(new Announcement(path));
    }

    /** At the very end of Maven, when nobody can load another class of ours. */
    private static final class Announcement extends Thread {
        private final Path file;

        Announcement(Path file) {
            this.file = file;
        }

        @Override
        public void run() {
            try (OutputStream out = new FileOutputStream(FileDescriptor.out)) {
                // On a line of its own, whatever Maven has left on the one before.
                out.write(("\n" + Files.readString(file).strip() + "\n").getBytes(StandardCharsets.UTF_8));
            } catch (IOException unsaid) {
                Runtime.getRuntime().halt(1);
            }
        }
    }
}
