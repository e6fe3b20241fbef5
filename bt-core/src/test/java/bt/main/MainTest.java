package bt.main;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

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

    private int run(String... words) {
        return new Main(new PrintStream(out, true), new PrintStream(err, true)).run(words);
    }

    private static String text(ByteArrayOutputStream stream) {
        return stream.toString(StandardCharsets.UTF_8);
    }
}
