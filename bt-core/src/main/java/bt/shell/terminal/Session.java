package bt.shell.terminal;

import bt.command.ExitCode;
import java.util.List;
import java.util.Set;

/** What a line means, whether it was typed or came from a file. One thread. */
final class Session {
    private static final Set<String> ENDS = Set.of("exit", "quit");

    private final LineRunner runner;
    private boolean ended;

    Session(LineRunner runner) {
        this.runner = runner;
    }

    /** Whether a line ended it. */
    boolean hasEnded() {
        return ended;
    }

    /** Runs a line, whose first word may be bt; the exit code. An empty line and a comment, behind #, do nothing. */
    int run(String line) {
        List<String> words = Word.cut(line).stream().map(Word::text).toList();
        if (words.isEmpty() || OpenQuote.isComment(line)) {
            return ExitCode.DONE;
        }
        List<String> command = words.get(0).equals("bt") ? words.subList(1, words.size()) : words;
        ended = command.size() == 1 && ENDS.contains(command.get(0));
        return ended ? ExitCode.DONE : runner.run(command);
    }
}
