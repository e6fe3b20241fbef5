package bt.command;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * One call of a command: its words after the name, the configuration as read (key to value, defaults included), where
 * data goes and where talk goes, and the home of the distribution.
 */
public record Invocation(
        List<String> words, Map<String, String> configuration, PrintStream out, PrintStream err, Path home) {
    public Invocation {
        words = List.copyOf(words);
        configuration = Map.copyOf(configuration);
    }
}
