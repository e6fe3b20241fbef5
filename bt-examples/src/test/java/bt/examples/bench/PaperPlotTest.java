package bt.examples.bench;

import static org.assertj.core.api.Assertions.assertThat;

import bt.examples.paper.Workload;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
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
        // Two servers are at the right edge; from 100 values a second at the lower edge to 10,000 there are two
        // decades.
        assertThat(lines).containsExactly("305.0,205.0 530.0,149.3", "305.0,278.6 530.0,260.7");
        assertThat(Pattern.compile("<circle ").matcher(svg).results()).hasSize(4);
        assertThat(Pattern.compile("text-anchor=\"middle\">(\\d)</text>")
                        .matcher(svg)
                        .results()
                        .map(MatchResult::group))
                .hasSize(2);
        assertThat(svg)
                .contains(">scan</text>", ">random read</text>", ">100</text>", ">1,000</text>", ">10,000</text>");
    }

    @Test
    void everyWorkloadHasAColourOfItsOwn() {
        String svg = PaperPlot.svg(Stream.of(Workload.values())
                .map(workload -> result(workload.label(), 1, 1_000))
                .toList());
        assertThat(Pattern.compile("<polyline [^>]*stroke=\"(#[0-9a-f]{6})\"")
                        .matcher(svg)
                        .results()
                        .map(line -> line.group(1)))
                .hasSize(Workload.values().length)
                .doesNotHaveDuplicates();
    }

    private static Result result(String name, int servers, double perSecond) {
        return Result.of(name, "bt").with(Figure.SERVERS, servers).with(Figure.OPS_PER_SECOND, perSecond);
    }
}
