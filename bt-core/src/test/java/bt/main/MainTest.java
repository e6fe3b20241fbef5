package bt.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import bt.base.CorruptionException;
import bt.base.FencedException;
import bt.base.OverloadedException;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.command.Command;
import bt.command.Invocation;
import bt.command.UsageException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

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
        Main main = new Main(print(out), print(err), List.of(new Failing(failure)));
        assertThat(main.run("fail")).isEqualTo(code);
        assertThat(text(err).lines()).first().isEqualTo("bt: " + line);
        assertThat(text(err)).doesNotContain("\tat ");
        assertThat(text(out)).isEmpty();
    }

    static Stream<Arguments> everyKindOfFailureIsOneLineWithItsExitCode() {
        return Stream.of(
                arguments(new RejectedException("no such table"), 2, "REJECTED: no such table"),
                arguments(new UsageException("--limit -1"), 2, "REJECTED: --limit -1"),
                arguments(new UnavailableException("nobody\nanswers"), 3, "UNAVAILABLE: nobody; answers"),
                arguments(new OverloadedException("full", 10), 3, "OVERLOADED: full"),
                arguments(new CorruptionException("file f, offset 7"), 4, "CORRUPTION: file f, offset 7"),
                arguments(new FencedException("another master"), 5, "FENCED: another master"),
                arguments(new IllegalStateException("odd"), 5, "INTERNAL: IllegalStateException: odd"),
                arguments(new NoClassDefFoundError("a/B"), 5, "INTERNAL: NoClassDefFoundError: a/B"));
    }

    @Test
    void theStackTraceIsForWhoAsksForIt() {
        Main main = new Main(print(out), print(err), List.of(new Failing(new CorruptionException("file f"))));
        assertThat(main.run("--trace", "fail")).isEqualTo(4);
        assertThat(text(err)).contains("\tat bt.main.MainTest");
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
    private record Failing(Throwable failure) implements Command {
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
}
