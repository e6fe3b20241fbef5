package bt.yarn.launch;

/** A word as a container's launch script wants it. */
final class ShellWord {
    private ShellWord() {}

    /**
     * YARN's script runs {@code exec /bin/bash -c "command"}: one shell expands the command between its double quotes, a
     * second one parses what comes out. So the word is in single quotes for the second, and what the first would take
     * for its own has a backslash.
     */
    static String quote(String word) {
        String inner = "'" + word.replace("'", "'\\''") + "'";
        return inner.replaceAll("[\\\\\"$`]", "\\\\$0");
    }
}
