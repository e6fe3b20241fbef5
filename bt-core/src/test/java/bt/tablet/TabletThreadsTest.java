package bt.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.model.Cell;
import bt.model.Filter;
import bt.model.RowMutation;
import bt.model.RowRange;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Readers beside the one writer, while memtables become files under them. */
@Tag("threads")
class TabletThreadsTest {
    private static final int ROUNDS = 400;
    private static final List<String> FAMILIES = List.of("one", "all", "young", "both");

    @Test
    @Timeout(60)
    void aReaderSeesEachMutationAsAWholeAndNeverAnOlderOneAfterANewerOne() throws Exception {
        TabletFixture fixture = new TabletFixture(RandomTable.schema(4));
        fixture.apply(round(0));
        AtomicBoolean done = new AtomicBoolean();
        ExecutorService readers = Executors.newFixedThreadPool(3);
        List<Future<Integer>> results = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            results.add(readers.submit(reader(fixture, done)));
        }
        try {
            for (int round = 1; round <= ROUNDS; round++) {
                fixture.apply(round(round));
                if (round % 20 == 0) {
                    fixture.flush();
                }
            }
        } finally {
            done.set(true);
        }
        for (Future<Integer> result : results) {
            assertThat(result.get()).isEqualTo(ROUNDS);
        }
        readers.shutdown();
        assertThat(readers.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
    }

    /** Ends with the round that it saw last. */
    private static Callable<Integer> reader(TabletFixture fixture, AtomicBoolean done) {
        return () -> {
            int last = 0;
            boolean ending;
            do {
                ending = done.get();
                int seen = read(fixture);
                assertThat(seen).isGreaterThanOrEqualTo(last);
                last = seen;
            } while (!ending);
            return last;
        };
    }

    private static int read(TabletFixture fixture) throws BigtableException {
        RowRange row = RowRange.row(Bytes.utf8("r"));
        List<Cell> cells =
                fixture.tablet.read(ReadSpec.of(row, new Filter.Latest(1))).cells();
        assertThat(cells).hasSize(FAMILIES.size());
        assertThat(cells.stream().map(Cell::value).distinct()).hasSize(1);
        return Integer.parseInt(cells.get(0).value().toUtf8());
    }

    private static RowMutation round(int round) {
        RowMutation.Builder mutation = RowMutation.of("r").deleteRow();
        FAMILIES.forEach(family -> mutation.set(family, "q", Integer.toString(round)));
        return mutation.build();
    }
}
