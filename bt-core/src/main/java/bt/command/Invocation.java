package bt.command;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;

/**
 * What every command is given: the configuration as read (key to value, defaults included) and which keys of it somebody gave,
 * in the file or on the command line; where data goes and where talk goes, whether data is to be JSON, the home of the
 * distribution, and what commands of the same session have opened.
 */
public record Invocation(
        Map<String, String> configuration,
        Set<String> given,
        boolean json,
        PrintStream out,
        PrintStream err,
        Path home,
        Kept kept) {
    public Invocation {
        configuration = Map.copyOf(configuration);
        given = Set.copyOf(given);
    }

    /** The value of a key that {@code bt config} lists. */
    public String setting(String key) {
        String value = configuration.get(key);
        if (value == null) {
            throw new IllegalArgumentException("no such configuration key: " + key);
        }
        return value;
    }
}
