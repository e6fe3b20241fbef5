package bt.main;

import static java.util.Objects.requireNonNull;

import bt.base.Messages;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.command.Kept;
import bt.command.UsageException;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine;

/** {@code bt}: finds the command, runs it, and turns what goes wrong into one line and an exit code. */
public final class Main {
    private static final int OUT_BYTES = 64 << 10;
    private static final String JSON_FILE = "--json=";
    private static final Set<String> HELP = Set.of("help", "--help", "-h");

    private final PrintStream out;
    private final PrintStream err;

    private final Iterable<Command> commands;

    /** With the commands of all modules. */
    Main(PrintStream out, PrintStream err) {
        this(out, err, ServiceLoader.load(Command.class));
    }

    Main(PrintStream out, PrintStream err, Iterable<Command> commands) {
        this.out = out;
        this.err = err;
        this.commands = commands;
    }

    public static void main(String[] words) {
        // Keys and values are bytes and may be any text: the platform's charset must not get between.
        PrintStream out = new PrintStream(
                new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), OUT_BYTES),
                false,
                StandardCharsets.UTF_8);
        PrintStream err = new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
        Logging.configure();
        int code = new Main(out, err).run(words);
        out.flush();
        System.exit(code);
    }

    /** Runs one command line by itself, as the JVM has read its words; the exit code. */
    int run(String... words) {
        Kept kept = new Kept();
        try {
            return runTyped(kept, words);
        } finally {
            close(kept);
        }
    }

    /** Runs one command line of a session, whose words are what their bytes say; the exit code. */
    int run(Kept kept, String... words) {
        return run(kept, parsed -> {}, words);
    }

    /** The same where others have read the words, and what they could not read is lost: {@link LostBytes}. */
    int runTyped(Kept kept, String... words) {
        return run(kept, parsed -> LostBytes.check(parsed.originalArgs()), words);
    }

    private int run(Kept kept, WordCheck check, String... words) {
        RootCommand root = new RootCommand();
        CommandLine line = commands(root, List.of(words));
        line.setExecutionStrategy(parsed -> execute(root, kept, check, parsed));
        return line.execute(separated(words));
    }

    /** What is asked of words before their command runs. */
    @FunctionalInterface
    private interface WordCheck {
        void check(CommandLine.ParseResult parsed) throws UsageException;
    }

    /** The commands with their options, for who completes words. */
    CommandLine commands() {
        return commands(List.of());
    }

    /** The same, for who reads this line only. */
    CommandLine commands(List<String> words) {
        return commands(new RootCommand(), words);
    }

    private CommandLine commands(RootCommand root, List<String> words) {
        CommandLine line = new CommandLine(root);
        for (Command command : called(words)) {
            line.addSubcommand(command);
        }
        line.setOut(new PrintWriter(out, true, StandardCharsets.UTF_8));
        line.setErr(new PrintWriter(err, true, StandardCharsets.UTF_8));
        line.setCaseInsensitiveEnumValuesAllowed(true);
        // A value that begins with @ is a value, not the name of a file with more words.
        line.setExpandAtFiles(false);
        line.setUsageHelpAutoWidth(true);
        line.getHelpSectionMap()
                .put(CommandLine.Model.UsageMessageSpec.SECTION_KEY_COMMAND_LIST, CommandGroups::render);
        line.setParameterExceptionHandler(this::misunderstood);
        return line;
    }

    /**
     * Those that a line may call, for their names are among its words: to gather the options of each command there is takes longer than
     * most lines of a session. All where none is named, and where one asks for help, which lists them.
     */
    private List<Command> called(List<String> words) {
        List<Command> all = new ArrayList<>();
        commands.forEach(all::add);
        List<Command> named = all.stream()
                .filter(command -> names(command).anyMatch(words::contains))
                .toList();
        return named.isEmpty() || words.stream().anyMatch(HELP::contains) ? all : named;
    }

    private static Stream<String> names(Command command) {
        picocli.CommandLine.Command says =
                requireNonNull(command.getClass().getAnnotation(picocli.CommandLine.Command.class));
        return Stream.concat(Stream.of(says.name()), Stream.of(says.aliases()));
    }

    /** What a command did is done, whatever becomes of the connection behind it. */
    private void close(Kept kept) {
        try {
            kept.close();
        } catch (IOException failed) {
            err.println("bt: " + Messages.oneLine(failed.getMessage()) + ": " + List.of(failed.getSuppressed()));
        }
    }

    /** A file for JSON is a word of its own: {@code --json} alone means standard output, so it cannot ask for a value. */
    private static String[] separated(String... words) {
        List<String> separated = new ArrayList<>();
        boolean options = true;
        for (String word : words) {
            options &= !word.equals("--");
            if (options && word.startsWith(JSON_FILE)) {
                separated.add("--json");
                separated.add(word.substring(JSON_FILE.length()));
            } else {
                separated.add(word);
            }
        }
        return separated.toArray(new String[0]);
    }

    private int misunderstood(CommandLine.ParameterException wrong, String[] words) {
        String command = wrong.getCommandLine().getCommandSpec().qualifiedName().replaceFirst("^bt ?", "");
        String help = command.isEmpty() ? "bt help" : "bt help " + command;
        String advice = wrong instanceof CommandLine.UnmatchedArgumentException unmatched && unmatched.isUnknownOption()
                ? help + "; words that begin with a dash come after --"
                : help;
        FailureLine line = FailureLine.misunderstood(Messages.oneLine(wrong.getMessage()) + " (" + advice + ")");
        line.print(err, asksForJson(wrong.getCommandLine(), List.of(words)));
        return line.code();
    }

    /** Whatever stands before it: the words behind the one that is wrong have not been looked at. */
    private static boolean asksForJson(CommandLine command, List<String> words) {
        int end = words.indexOf("--");
        CommandLine.Model.OptionSpec json = command.getCommandSpec().findOption("--json");
        return json != null && json.arity().max() == 0 && (end < 0 ? words : words.subList(0, end)).contains("--json");
    }

    private int execute(RootCommand root, Kept kept, WordCheck check, CommandLine.ParseResult parsed) {
        CommandLine.ParseResult deepest = parsed;
        while (deepest.hasSubcommand()) {
            deepest = deepest.subcommand();
        }
        CommandLine line = deepest.commandSpec().commandLine();
        if (line.getCommand() instanceof CommandLine.HelpCommand) {
            return new CommandLine.RunLast().execute(parsed);
        }
        if (deepest.isUsageHelpRequested() || !(line.getCommand() instanceof Command)) {
            line.usage(out);
            return deepest.isUsageHelpRequested() || deepest == parsed ? ExitCode.DONE : ExitCode.REJECTED;
        }
        Command command = line.getCommand();
        try {
            check.check(parsed);
            EmptyWords.check(parsed);
            Invocation invocation = root.invocation(out, err, kept);
            return command.run(invocation);
        } catch (Exception | Error failure) {
            return said(root, failure, FailureLine.of(failure, command.isWrite()));
        }
    }

    /** One line: error kind, what was wrong, what to do. The stack trace only for who asked for it. */
    private int said(RootCommand root, Throwable failure, FailureLine line) {
        line.print(err, root.json());
        if (root.trace()) {
            failure.printStackTrace(err);
        } else if (line.code() == ExitCode.INTERNAL) {
            err.println("bt: this is a bug or a broken installation; --trace shows where");
        }
        return line.code();
    }
}
