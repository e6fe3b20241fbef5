package bt.examples.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

class ScreenTest {
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();

    @Test
    void aLogGetsWholeLinesAndNoBar() {
        show(false);
        assertThat(written.toString(UTF_8))
                .isEqualTo("Load ...\n  a note\n" + Screen.line("Load", 1.5, "7 pages") + "\n");
    }

    @Test
    void aTerminalGetsOneLineRewritten() {
        show(true);
        assertThat(written.toString(UTF_8))
                .contains("Load [###############---------------] 50 %")
                .containsOnlyOnce("\n")
                .endsWith(Screen.line("Load", 1.5, "7 pages") + "\n");
    }

    @Test
    void aBarIsNeitherEmptyOfMeaningNorOverfull() {
        assertThat(Screen.bar(0, 0)).isEqualTo("[------------------------------] 0 %");
        assertThat(Screen.bar(5, 4)).isEqualTo("[##############################] 100 %");
    }

    private void show(boolean terminal) {
        Screen screen = new Screen(new PrintStream(written, true, UTF_8), terminal);
        Bar bar = screen.begin("Load");
        bar.at(1, 2);
        bar.at(1, 2);
        bar.note("a note");
        bar.note("a note");
        screen.end("Load", "7 pages", 1.5);
    }
}
