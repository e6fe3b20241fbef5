package bt.shell.terminal;

import java.util.List;

/** Runs the lines of a session. One thread. */
@FunctionalInterface
public interface LineRunner {
    /** Runs one command line, without the word bt; its exit code. What goes wrong is told to the user, not thrown. */
    int run(List<String> words);
}
