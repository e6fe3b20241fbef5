package bt.shell.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import bt.command.ExitCode;
import java.io.BufferedReader;
import java.io.StringReader;
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

    /** A command that is a number ends with that exit code. */
    private int run(String lines) throws Exception {
        return new PipedSession(words -> {
                    ran.add(words);
                    return words.get(0).matches("\\d") ? Integer.parseInt(words.get(0)) : ExitCode.DONE;
                })
                .run(new BufferedReader(new StringReader(lines)));
    }
}
