package bt.examples.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException.Outcome;
import bt.base.UnavailableException;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.command.Kept;
import bt.examples.chaos.ChaosReport.Told;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ChaosCommandTest {
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();

    @Test
    void aCleanRunEndsWith0() throws Exception {
        assertThat(finish(ChaosReportTest.report(new Told(100, 3, 1, 0, 0), List.of())))
                .isEqualTo(ExitCode.DONE);
    }

    @Test
    void aRunThatIsNotCleanEndsWith4AndItsReportIsPrinted() throws Exception {
        assertThat(finish(ChaosReportTest.report(new Told(100, 3, 1, 1, 0), List.of())))
                .isEqualTo(4);
        assertThat(finish(ChaosReportTest.report(new Told(100, 3, 1, 0, 1), List.of())))
                .isEqualTo(4);
        assertThat(finish(ChaosReportTest.report(new Told(100, 3, 1, 0, 0), List.of("1 planted"))))
                .isEqualTo(4);
        assertThat(said.toString(StandardCharsets.UTF_8))
                .contains("1 lost, 0 anomalies, 0 invariants broken")
                .contains("0 lost, 1 anomalies, 0 invariants broken")
                .contains("broken: 1 planted");
    }

    @Test
    void aRunThatFailsHasAReportThatSaysSo() {
        Invocation invocation = invocation(true);
        assertThatThrownBy(() -> new ChaosCommand().reported(9, invocation, () -> {
                    throw new UnavailableException("planted", Outcome.NOT_APPLIED);
                }))
                .hasMessage("planted");
        assertThat(said.toString(StandardCharsets.UTF_8))
                .contains("\"whole\" : false")
                .contains("\"lost\" : null")
                .contains("\"invariantsBroken\" : null")
                .contains("the run failed: ")
                .contains("planted");
    }

    private int finish(ChaosReport report) throws IOException {
        return new ChaosCommand().finish(report, invocation(false));
    }

    private Invocation invocation(boolean json) {
        PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
        return new Invocation(Map.of(), Set.of(), json, out, out, Path.of("."), new Kept());
    }
}
