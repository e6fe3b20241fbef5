package bt.shell.terminal;

import bt.base.BigtableException;
import bt.base.ThreadScheduler;
import bt.base.UnavailableException;
import bt.client.Bigtable;
import bt.command.ExitCode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReader.Option;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.terminal.Terminal;
import org.jline.terminal.Terminal.Signal;
import org.jline.terminal.TerminalBuilder;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Lines typed on the terminal of this process, run until {@code exit}, {@code quit} or Ctrl-D. Ctrl-C gives up the line that
 * is typed, or ends the command that runs. The thread that runs it owns it.
 */
public final class TerminalSession {
    private static final String SECONDARY_PROMPT = "> ";
    private static final int HISTORY_LINES = 10_000;

    private final Terminal terminal;
    private final ThreadScheduler scheduler;
    private final Session session;
    private final LineReader reader;

    private TerminalSession(Terminal terminal, ThreadScheduler scheduler, Session session, LineReader reader) {
        this.terminal = terminal;
        this.scheduler = scheduler;
        this.session = session;
        this.reader = reader;
    }

    /**
     * A session to be run once; empty where this process has no terminal, as behind a pipe.
     *
     * @param root the commands there are, for completion
     * @param bigtable whose names words are completed to
     * @param history the file of lines typed earlier; empty to remember none
     */
    public static Optional<TerminalSession> open(
            LineRunner runner, CommandSpec root, Bigtable bigtable, Optional<Path> history) {
        try {
            Terminal terminal = TerminalBuilder.builder()
                    .system(true)
                    .dumb(false)
                    // Else the terminal is asked for it, and what is typed meanwhile is taken for the answer. Where
                    // none
                    // comes in 0.7 s, as on a busy machine, two threads read then: keys are lost, or the session ends.
                    .graphemeCluster(false)
                    .build();
            ThreadScheduler scheduler = new ThreadScheduler();
            CommandCompleter completer = new CommandCompleter(root, new Names(bigtable, scheduler));
            LineReader reader = reader(terminal, completer, history);
            return Optional.of(new TerminalSession(terminal, scheduler, new Session(runner), reader));
        } catch (IOException | IllegalStateException none) {
            return Optional.empty();
        }
    }

    /**
     * Takes lines until one ends it. UNAVAILABLE where the terminal is gone.
     *
     * @param prompt what each line begins with
     * @return the exit code: a command that failed was told of when it did
     */
    public int run(String prompt) throws BigtableException {
        try (terminal;
                scheduler) {
            Thread owner = Thread.currentThread();
            terminal.handle(Signal.INT, signal -> owner.interrupt());
            while (!session.hasEnded()) {
                Optional<String> line = line(prompt);
                if (line.isEmpty()) {
                    break;
                }
                session.run(line.get());
                // Ctrl-C was for the command, which may have ended before it came.
                Thread.interrupted();
            }
            return ExitCode.DONE;
        } catch (IOException broken) {
            throw new UnavailableException("the terminal: " + broken.getMessage()).causedBy(broken);
        }
    }

    /** What was typed, nothing where it was given up; empty at the end of input. */
    private Optional<String> line(String prompt) {
        try {
            return Optional.of(reader.readLine(prompt));
        } catch (UserInterruptException givenUp) {
            return Optional.of("");
        } catch (EndOfFileException end) {
            return Optional.empty();
        }
    }

    private static LineReader reader(Terminal terminal, CommandCompleter completer, Optional<Path> history) {
        LineReaderBuilder builder = LineReaderBuilder.builder()
                .appName("bt")
                .terminal(terminal)
                .parser(new WordParser())
                .completer(completer)
                .variable(LineReader.SECONDARY_PROMPT_PATTERN, SECONDARY_PROMPT)
                .variable(LineReader.HISTORY_SIZE, HISTORY_LINES)
                .variable(LineReader.HISTORY_FILE_SIZE, HISTORY_LINES)
                // A value may hold any text: ! stands for no earlier line, and blanks in quotes are kept as they are.
                .option(Option.DISABLE_EVENT_EXPANSION, true)
                .option(Option.HISTORY_REDUCE_BLANKS, false);
        history.ifPresent(file -> builder.variable(LineReader.HISTORY_FILE, file));
        return builder.build();
    }
}
