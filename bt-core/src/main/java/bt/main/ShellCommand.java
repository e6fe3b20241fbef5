package bt.main;

import bt.client.Bigtable;
import bt.command.Command;
import bt.command.Invocation;
import bt.command.Kept;
import bt.connect.ClusterAddress;
import bt.connect.Connect;
import bt.shell.terminal.LineRunner;
import bt.shell.terminal.PipedSession;
import bt.shell.terminal.TerminalSession;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Predicate;
import picocli.CommandLine.ParentCommand;

/** {@code bt shell}: the other commands, many over one connection. */
@picocli.CommandLine.Command(
        name = "shell",
        description =
                "Takes commands, one a line, over one connection: with completion and history on a terminal; from a"
                        + " pipe until one fails, whose exit code is then the shell's.",
        footerHeading = Command.EXAMPLES,
        footer = {"  bt shell", "  bt shell --at zk://zookeeper:2181/web", "  bt shell < commands.txt"})
public final class ShellCommand implements Command {
    /** The others run for as long as their process does. */
    private static final Set<Group> GROUPS = EnumSet.of(Group.DATA, Group.TABLES, Group.CLUSTER);

    @ParentCommand
    private RootCommand root = new RootCommand();

    @Override
    public Group group() {
        return Group.DATA;
    }

    @Override
    public int run(Invocation invocation) throws Exception {
        String at = invocation.setting("at");
        Bigtable bigtable = invocation.kept().get(Bigtable.class, at, () -> Connect.to(at));
        LineRunner typing = words -> run(invocation, words, Main::runTyped);
        Optional<TerminalSession> typed =
                TerminalSession.open(typing, main(invocation).commands().getCommandSpec(), bigtable, history());
        if (typed.isEmpty()) {
            return new PipedSession(words -> run(invocation, words, Main::run)).run(System.in);
        }
        invocation.out().println(at + ": help lists the commands, Tab completes words, exit or Ctrl-D ends");
        invocation.out().flush();
        return typed.get().run(ClusterAddress.parse(at).cluster() + "> ");
    }

    /** Every line has commands of its own: the values of the last one's options are gone with it. */
    private int run(Invocation invocation, List<String> words, Run run) {
        int code = run.run(main(invocation), invocation.kept(), root.complete(words));
        invocation.out().flush();
        return code;
    }

    /** One of those of {@link Main}. */
    @FunctionalInterface
    private interface Run {
        int run(Main main, Kept kept, String... words);
    }

    private static Main main(Invocation invocation) {
        Predicate<Command> offered = command -> GROUPS.contains(command.group()) && !(command instanceof ShellCommand);
        List<Command> commands = ServiceLoader.load(Command.class).stream()
                .map(ServiceLoader.Provider::get)
                .filter(offered)
                .toList();
        return new Main(invocation.out(), invocation.err(), commands);
    }

    /** For its owner's eyes alone, as it holds what was written to tables; empty where no file can be. */
    private static Optional<Path> history() {
        Path file = Path.of(System.getProperty("user.home"), ".bt_history");
        try {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        } catch (FileAlreadyExistsException fromEarlier) {
            return Optional.of(file);
        } catch (IOException | UnsupportedOperationException noHome) {
            return Optional.empty();
        }
        return Optional.of(file);
    }
}
