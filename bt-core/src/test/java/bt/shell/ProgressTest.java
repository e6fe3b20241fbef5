package bt.shell;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.client.TabletInfo;
import bt.model.RowRange;
import bt.testing.ManualClock;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ProgressTest {
    @Test
    void itIsToldEveryTwoSeconds() {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        ManualClock clock = new ManualClock(0);
        Progress progress = new Progress(new PrintStream(err, true, StandardCharsets.UTF_8), clock);
        for (long millis : List.of(0L, 1_999L, 2_000L, 3_999L, 4_500L)) {
            clock.set(millis * 1_000);
            progress.say(() -> millis + " ms");
        }
        assertThat(err.toString(StandardCharsets.UTF_8).lines()).containsExactly("2000 ms", "4500 ms");
    }

    @Test
    void tabletsThatEndAtOrBeforeTheRowAreDone() {
        List<TabletInfo> tablets = List.of(tablet("", "c"), tablet("c", "m"), tablet("m", ""));
        assertThat(Progress.tablets(tablets, Bytes.utf8("b"))).isEqualTo("0 of 3 tablets");
        assertThat(Progress.tablets(tablets, Bytes.utf8("c"))).isEqualTo("1 of 3 tablets");
        assertThat(Progress.tablets(tablets, Bytes.utf8("z"))).isEqualTo("2 of 3 tablets");
    }

    private static TabletInfo tablet(String start, String end) {
        Optional<Bytes> last = end.isEmpty() ? Optional.empty() : Optional.of(Bytes.utf8(end));
        return new TabletInfo(new RowRange(Bytes.utf8(start), last), Optional.empty(), 0);
    }
}
