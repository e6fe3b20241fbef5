package bt.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import bt.base.BigtableException.Outcome;
import bt.base.CorruptionException;
import bt.base.FencedException;
import bt.base.OverloadedException;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.command.UsageException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** What {@code bt} says without any cluster. */
class MainTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @Test
    void helpListsAllCommandsUnderTheirHeadings() {
        assertThat(run("help")).isZero();
        assertThat(text(out)).contains("Data:", "  scan ", "Tables:", "  create ", "Development:", "  dev ");
    }

    @Test
    void helpOfACommandExplainsIt() {
        assertThat(run("help", "scan")).isZero();
        assertThat(text(out)).contains("Usage: bt scan", "--prefix");
    }

    @Test
    void anUnknownCommandIsOneLineAndExitCodeTwo() {
        assertThat(run("scam")).isEqualTo(2);
        assertThat(text(err)).startsWith("bt: REJECTED: ").contains("scam").hasLineCount(1);
        assertThat(text(out)).isEmpty();
    }

    @Test
    void aFileForJsonMayStandBehindAnEqualsSign() {
        assertThat(run("scan", "--json=numbers.json", "t", "u")).isEqualTo(2);
        String asTwoWords = text(err);
        err.reset();
        assertThat(run("scan", "--json", "numbers.json", "t", "u")).isEqualTo(2);
        assertThat(text(err)).isEqualTo(asTwoWords).contains("Unmatched");
    }

    @ParameterizedTest
    @MethodSource
    void everyKindOfFailureIsOneLineWithItsExitCode(Throwable failure, int code, String line) {
        Main main = new Main(print(out), print(err), List.of(new Failing(failure, false)));
        assertThat(main.run("fail")).isEqualTo(code);
        assertThat(text(err).lines()).first().isEqualTo("bt: " + line);
        assertThat(text(err)).doesNotContain("\tat ");
        assertThat(text(out)).isEmpty();
    }

    static Stream<Arguments> everyKindOfFailureIsOneLineWithItsExitCode() {
        return Stream.of(
                arguments(
                        new RejectedException("no such table", "ask for another"),
                        2,
                        "REJECTED: no such table: ask for another"),
                arguments(new UsageException("--limit -1", "ask for one"), 2, "REJECTED: --limit -1: ask for one"),
                arguments(new UnavailableException("nobody\nanswers"), 3, "UNAVAILABLE: nobody; answers"),
                arguments(new OverloadedException("full", 10), 3, "OVERLOADED: full"),
                arguments(new CorruptionException("file f, offset 7"), 4, "CORRUPTION: file f, offset 7"),
                arguments(new FencedException("another master"), 5, "FENCED: another master"),
                arguments(new IllegalStateException("odd"), 5, "INTERNAL: IllegalStateException: odd"),
                arguments(new NoClassDefFoundError("a/B"), 5, "INTERNAL: NoClassDefFoundError: a/B"));
    }

    @ParameterizedTest
    @MethodSource
    void whatBecameOfAWriteThatFailedIsSaid(Throwable failure, String line, String document) {
        Main main = new Main(print(out), print(err), List.of(new Failing(failure, true)));
        int code = main.run("fail");
        assertThat(text(err).lines()).first().isEqualTo("bt: " + line);
        err.reset();
        assertThat(main.run("--json", "fail")).isEqualTo(code);
        assertThat(text(err).lines()).first().isEqualTo(document);
        assertThat(text(out)).isEmpty();
    }

    static Stream<Arguments> whatBecameOfAWriteThatFailedIsSaid() {
        return Stream.of(
                arguments(
                        new UnavailableException("nobody answers"),
                        "UNAVAILABLE: nobody answers; outcome UNKNOWN",
                        "{\"failure\":\"UNAVAILABLE\",\"message\":\"nobody answers\",\"outcome\":\"UNKNOWN\"}"),
                arguments(
                        new UnavailableException("not there", Outcome.NOT_APPLIED),
                        "UNAVAILABLE: not there; outcome NOT_APPLIED",
                        "{\"failure\":\"UNAVAILABLE\",\"message\":\"not there\",\"outcome\":\"NOT_APPLIED\"}"),
                arguments(
                        new OverloadedException("full", 10),
                        "OVERLOADED: full; outcome NOT_APPLIED",
                        "{\"failure\":\"OVERLOADED\",\"message\":\"full\",\"outcome\":\"NOT_APPLIED\"}"),
                arguments(
                        new IllegalArgumentException("the row is empty"),
                        "REJECTED: the row is empty: correct it; outcome NOT_APPLIED",
                        "{\"failure\":\"REJECTED\",\"message\":\"the row is empty: correct it\",\"outcome\":\"NOT_APPLIED\"}"),
                arguments(
                        new IllegalStateException("odd"),
                        "INTERNAL: IllegalStateException: odd; outcome UNKNOWN",
                        "{\"failure\":\"INTERNAL\",\"message\":\"IllegalStateException: odd\",\"outcome\":\"UNKNOWN\"}"),
                arguments(
                        new UsageException("--if and --unless", "join them"),
                        "REJECTED: --if and --unless: join them",
                        "{\"failure\":\"REJECTED\",\"message\":\"--if and --unless: join them\"}"));
    }

    @Test
    void itIsSaidOfWhatWritesRows() {
        assertThat(ServiceLoader.load(Command.class).stream()
                        .map(ServiceLoader.Provider::get)
                        .filter(Command::isWrite)
                        .map(command -> new CommandLine(command).getCommandName()))
                .containsExactlyInAnyOrder("put", "delete", "increment", "append", "modify", "import");
    }

    /** Also where the word that says so stands behind the one that is wrong. */
    @Test
    void whatIsNotUnderstoodIsADocumentToo() {
        for (String[] words : List.of(
                new String[] {"put", "t", "r", "f:", "v", "--timestamp", "soon", "--json"},
                new String[] {"--json", "put", "t", "r", "f:", "v", "--timestamp", "soon"})) {
            assertThat(run(words)).isEqualTo(2);
            assertThat(text(err))
                    .startsWith("{\"failure\":\"REJECTED\",\"message\":\"Invalid value for option '--timestamp'")
                    .endsWith("(bt help put)\"}\n");
            err.reset();
        }
        assertThat(run("put", "t", "r", "f:", "v", "--timestamp", "soon", "--", "--json"))
                .isEqualTo(2);
        assertThat(text(err)).startsWith("bt: REJECTED: Invalid value");
    }

    @Test
    void theStackTraceIsForWhoAsksForIt() {
        Main main = new Main(print(out), print(err), List.of(new Failing(new CorruptionException("file f"), false)));
        assertThat(main.run("--trace", "fail")).isEqualTo(4);
        assertThat(text(err)).contains("\tat bt.main.MainTest");
    }

    /** What a line does not name it cannot call: to gather the options of all commands takes longer than most lines. */
    @Test
    void onlyTheCommandThatALineNamesIsAskedForItsOptions() {
        Neighbour neighbour = new Neighbour();
        Main main = new Main(
                print(out), print(err), List.of(new Failing(new CorruptionException("file f"), false), neighbour));
        assertThat(main.run("--at", "zk://nowhere:1/c", "fail")).isEqualTo(4);
        assertThat(neighbour.options).isNull();
        assertThat(main.run("fail", "--json", "neighbour")).isEqualTo(2);
        assertThat(neighbour.options).isNotNull();
    }

    @Test
    void whoAsksForHelpOrNamesNoneIsShownAllCommands() {
        Main main = new Main(
                print(out),
                print(err),
                List.of(new Failing(new CorruptionException("file f"), false), new Neighbour()));
        for (String[] line : new String[][] {{"help"}, {"--help"}, {"-h"}, {}}) {
            out.reset();
            main.run(line);
            assertThat(text(out)).as("%s", List.of(line)).contains("  fail", "  neighbour");
        }
    }

    private int run(String... words) {
        return new Main(print(out), print(err)).run(words);
    }

    private static PrintStream print(ByteArrayOutputStream stream) {
        return new PrintStream(stream, true, StandardCharsets.UTF_8);
    }

    private static String text(ByteArrayOutputStream stream) {
        return stream.toString(StandardCharsets.UTF_8);
    }

    @picocli.CommandLine.Command(name = "fail")
    private record Failing(Throwable failure, boolean isWrite) implements Command {
        @Override
        public Group group() {
            return Group.DATA;
        }

        @Override
        public int run(Invocation invocation) throws Exception {
            if (failure instanceof Error error) {
                throw error;
            }
            throw (Exception) failure;
        }
    }

    @picocli.CommandLine.Command(name = "neighbour")
    private static final class Neighbour implements Command {
        /** Given when they are gathered. */
        @picocli.CommandLine.Spec
        private picocli.CommandLine.Model.@Nullable CommandSpec options;

        @Override
        public Group group() {
            return Group.DATA;
        }

        @Override
        public int run(Invocation invocation) {
            return ExitCode.DONE;
        }
    }
}
