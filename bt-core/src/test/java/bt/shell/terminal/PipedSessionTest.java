package bt.shell.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.RejectedException;
import bt.command.ExitCode;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PipedSessionTest {
    private final List<List<String>> ran = new ArrayList<>();

    @Test
    void linesRunInOrderWithoutCommentsAndTheWordBt() throws Exception {
        assertThat(run("# a comment\n\nbt tables\nput t r f:q 'two\nlines'\n  get t r"))
                .isEqualTo(ExitCode.DONE);
        assertThat(ran)
                .containsExactly(
                        List.of("tables"), List.of("put", "t", "r", "f:q", "two\nlines"), List.of("get", "t", "r"));
    }

    @Test
    void theFirstFailureEndsItWithItsExitCode() throws Exception {
        assertThat(run("1\n0\n4\n0\n")).isEqualTo(ExitCode.CORRUPTION);
        assertThat(ran).hasSize(3);
    }

    @Test
    void exitEndsIt() throws Exception {
        assertThat(run("exit now\nquit\ntables\n")).isEqualTo(ExitCode.DONE);
        assertThat(ran).containsExactly(List.of("exit", "now"));
    }

    @Test
    void aQuoteThatTheInputEndsInIsRefusedWithTheLineWhereItBegins() throws Exception {
        assertThatThrownBy(() -> run("put t 1 f:q v\nput t 2 f:q \"x\nput t 3 f:q v\n"))
                .isInstanceOf(RejectedException.class)
                .hasMessage("line 2: the quote \" that begins here is not closed, so its command did not run: close it,"
                        + " or write \\x22 where the sign itself is meant");
        assertThat(ran).containsExactly(List.of("put", "t", "1", "f:q", "v"));
        ran.clear();
        assertThatThrownBy(() -> run("put t 1 f:q 'two\nlines' it's\n\n"))
                .isInstanceOf(RejectedException.class)
                .hasMessageStartingWith("line 2: the quote ' that begins here")
                .hasMessageContaining("write \\x27");
        assertThat(ran).isEmpty();
    }

    @Test
    void aQuoteInACommentIsText() throws Exception {
        assertThat(run("# it's a comment\ntables\n")).isEqualTo(ExitCode.DONE);
        assertThat(ran).containsExactly(List.of("tables"));
        assertThat(run("get t '\n# r\n'")).isEqualTo(ExitCode.DONE);
        assertThat(ran).contains(List.of("get", "t", "\n# r\n"));
    }

    /** What is in a pipe is bytes: another key would be read, or written, in the place of the one that is meant. */
    @Test
    void bytesThatAreNoUtf8AreRefusedWithTheirLineAndTheirCommandDoesNotRun() throws Exception {
        byte[] lines = "put t a f:q v\nput t r? f:q v\nput t b f:q v\n".getBytes(StandardCharsets.UTF_8);
        lines[21] = (byte) 0xff;
        assertThatThrownBy(() -> run(lines))
                .isInstanceOf(RejectedException.class)
                .hasMessage("line 2 has bytes that are no UTF-8, so its command did not run: write them \\xNN, or"
                        + " convert the file");
        assertThat(ran).containsExactly(List.of("put", "t", "a", "f:q", "v"));
    }

    @Test
    void theSignForWhatIsNoTextIsText() throws Exception {
        assertThat(run("get t \uFFFD\u00e9\n")).isEqualTo(ExitCode.DONE);
        assertThat(ran).containsExactly(List.of("get", "t", "\uFFFD\u00e9"));
    }

    @Test
    void aValueKeepsTheLineEndsInItsQuotesAndACommandsOwnIsNoneOfIt() throws Exception {
        assertThat(run("put t r f:q 'a\r\nb\rc\n\n'\r\nget t r\rget t s\n\r\n")).isEqualTo(ExitCode.DONE);
        assertThat(ran)
                .containsExactly(
                        List.of("put", "t", "r", "f:q", "a\r\nb\rc\n\n"),
                        List.of("get", "t", "r"),
                        List.of("get", "t", "s"));
    }

    private int run(String lines) throws Exception {
        return run(lines.getBytes(StandardCharsets.UTF_8));
    }

    /** A command that is a number ends with that exit code. */
    private int run(byte[] lines) throws Exception {
        return new PipedSession(words -> {
                    ran.add(words);
                    return words.get(0).matches("\\d") ? Integer.parseInt(words.get(0)) : ExitCode.DONE;
                })
                .run(new ByteArrayInputStream(lines));
    }
}
