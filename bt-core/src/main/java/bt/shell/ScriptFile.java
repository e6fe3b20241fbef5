package bt.shell;

import bt.command.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The text of a script. */
final class ScriptFile {
    private ScriptFile() {}

    static String read(Path file) throws UsageException {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new UsageException(
                    "--script " + file + ": " + FileProblem.of(unreadable),
                    "name a file with the script's text in UTF-8");
        }
    }
}
