package bt.shell;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.Bytes;
import bt.base.UnavailableException;
import bt.client.Bigtable;
import bt.client.Scan;
import bt.client.Table;
import bt.model.Filter;
import bt.model.FilterSize;
import bt.model.FilterText;
import bt.model.GcRule;
import bt.model.Limits;
import bt.model.RowMutation;
import bt.model.Selection;
import bt.model.TableSchema;
import bt.testing.ManualClock;
import bt.testing.MemoryCluster;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CountCommandTest {
    private static final TableSchema DRAFT =
            TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build();

    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private final ManualClock clock = new ManualClock(0);
    private MemoryCluster cluster;
    private Bigtable bigtable;
    private Table table;

    @BeforeEach
    void start() throws Exception {
        cluster = new MemoryCluster();
        List<Bytes> ends =
                IntStream.range(1, 6).mapToObj(i -> Bytes.utf8("r" + i + "9")).toList();
        cluster.table(4, DRAFT, ends, 3);
        // A server takes a second for a page, which ends with its tablet where no row passes.
        cluster.fates((to, request) -> {
            clock.set(clock.micros() + 1_000_000);
            return MemoryCluster.Fate.DELIVERED;
        });
        bigtable = Bigtable.over(cluster, cluster.locks, cluster.scheduler);
        table = bigtable.table("t");
        for (int i = 0; i < 50; i++) {
            table.apply(RowMutation.of("r" + (10 + i)).set("f", "q", "v" + i).build());
        }
    }

    @AfterEach
    void stop() {
        bigtable.close();
        cluster.close();
    }

    @Test
    void itSaysHowFarItIsWhileNoRowPasses() throws Exception {
        assertThat(count(FilterText.parse("value=v49"))).isEqualTo(1);
        assertThat(said.toString(UTF_8).lines().toList())
                .hasSizeGreaterThan(1)
                .allMatch(line -> line.matches("0 rows counted, [1-5]0 seen, up to r[1-5]9\\\\x00, [1-5] of 6 tablets"))
                .isSorted();
    }

    @Test
    void itSaysHowManyPassed() throws Exception {
        assertThat(count(Filter.ALL)).isEqualTo(50);
        assertThat(said.toString(UTF_8).lines().toList())
                .hasSizeGreaterThan(2)
                .anyMatch(
                        line -> line.matches("[1-9]\\d* rows counted, \\d+ seen, up to r\\d\\d.*, [1-9] of 6 tablets"));
    }

    @Test
    void aCountThatIsInterruptedSaysOfWhatAndAfterHowMuch() {
        PrintStream interrupting = new PrintStream(said, true, UTF_8) {
            @Override
            public void println(String line) {
                Thread.currentThread().interrupt();
            }
        };
        try {
            assertThatThrownBy(() ->
                            CountCommand.count(table, Scan.all().pages(5, 1 << 20), new Progress(interrupting, clock)))
                    .isInstanceOf(UnavailableException.class)
                    .hasMessageMatching("count of table t: interrupted after [1-4]?[0-9] rows, and part of them is no"
                            + " count: begin it again");
        } finally {
            boolean unused = Thread.interrupted();
        }
    }

    /** Whatever may be read with a filter may be counted with it, also where nothing fits beside it. */
    @Test
    void aFilterAtABoundIsCountedAsItIs() throws Exception {
        Filter mostParts =
                FilterText.parse(String.join(" | ", Collections.nCopies(Limits.FILTER_PARTS - 1, "value=v7")));
        Filter deepest = new Filter.Keys();
        for (int depth = 1; depth < Limits.FILTER_DEPTH; depth += 2) {
            Filter chain = depth == 1 ? deepest : new Filter.Chain(List.of(deepest, new Filter.Keys()));
            deepest = new Filter.Interleave(List.of(chain, new Filter.Label("l")));
        }
        assertThat(FilterSize.of(deepest).depth()).isEqualTo(Limits.FILTER_DEPTH);
        for (Filter large : List.of(mostParts, deepest)) {
            assertThat(CountCommand.counted(Selection.ALL.passing(large))).isEqualTo(large);
        }
        assertThat(count(CountCommand.counted(Selection.ALL.passing(mostParts))))
                .isEqualTo(1);
        Filter small = FilterText.parse("value=v7");
        assertThat(CountCommand.counted(Selection.ALL.passing(small)))
                .isEqualTo(new Filter.Chain(List.of(small, new Filter.First(1), new Filter.Keys())));
    }

    private long count(Filter filter) throws Exception {
        Scan scan = Scan.all().filtered(filter).pages(5, 1 << 20);
        return CountCommand.count(table, scan, new Progress(new PrintStream(said, true, UTF_8), clock));
    }
}
