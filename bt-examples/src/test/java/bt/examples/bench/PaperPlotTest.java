package bt.examples.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class PaperPlotTest {
    @Test
    void aLineGoesThroughThePointsOfAllServerCounts() {
        String svg = PaperPlot.svg(List.of(
                result("scan", 1, 1_000),
                result("random read", 1, 400),
                result("scan", 2, 2_000),
                result("random read", 2, 500)));

        List<String> lines = Pattern.compile("<polyline points=\"([^\"]*)\"")
                .matcher(svg)
                .results()
                .map(line -> line.group(1))
                .toList();
        // Two servers are at the right edge, 2,000 values a second at the upper one; both axes begin with nothing.
        assertThat(lines).containsExactly("305.0,205.0 530.0,20.0", "305.0,316.0 530.0,297.5");
        assertThat(Pattern.compile("<circle ").matcher(svg).results()).hasSize(4);
        assertThat(Pattern.compile("text-anchor=\"middle\">(\\d)</text>")
                        .matcher(svg)
                        .results()
                        .map(MatchResult::group))
                .hasSize(2);
        assertThat(svg).contains(">scan</text>", ">random read</text>", ">2,000</text>");
    }

    private static Result result(String name, int servers, double perSecond) {
        return Result.of(name, "bt").with(Figure.SERVERS, servers).with(Figure.OPS_PER_SECOND, perSecond);
    }
}
