package bt.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.UnavailableException;
import bt.model.Cell;
import bt.model.GcRule;
import bt.model.Row;
import bt.model.TableSchema;
import bt.protocol.Request;
import bt.protocol.RowResume;
import bt.testing.MemoryCluster;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RowReadTest {
    private final List<Request.Scan> asked = Collections.synchronizedList(new ArrayList<>());
    private MemoryCluster cluster;
    private Bigtable bigtable;
    private Table table;

    @BeforeEach
    void start() throws Exception {
        cluster = new MemoryCluster();
        TableSchema draft = TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build();
        cluster.table(4, draft, List.of(), 3);
        bigtable = Bigtable.over(cluster, cluster.locks, cluster.scheduler);
        table = bigtable.table("t");
    }

    @AfterEach
    void stop() {
        bigtable.close();
        cluster.close();
    }

    /** Told of each request before it is answered. */
    private void serve(LongRow row, Runnable before) {
        cluster.listen(MemoryCluster.address(3), (caller, request) -> {
            asked.add((Request.Scan) request);
            before.run();
            return row.handle(caller, request);
        });
    }

    private static List<String> qualifiers(Optional<Row> row) {
        return row.orElseThrow().cells().stream()
                .map(Cell::column)
                .map(column -> column.qualifier().toUtf8())
                .toList();
    }

    @Test
    void aRowOfOnePageIsAskedForOnce() throws Exception {
        serve(new LongRow(1), () -> {});
        assertThat(qualifiers(table.read(LongRow.ROW))).containsExactly("q0");
        assertThat(asked).singleElement().satisfies(scan -> assertThat(scan.resume())
                .isEmpty());
    }

    @Test
    void aLargerRowGoesOnBehindItsFirstPage() throws Exception {
        serve(new LongRow(3), () -> {});
        assertThat(qualifiers(table.read(LongRow.ROW))).containsExactly("q0", "q1", "q2");
        assertThat(asked)
                .extracting(scan -> scan.resume().map(RowResume::counted))
                .containsExactly(Optional.empty(), Optional.of(List.of(1)), Optional.of(List.of(2)));
    }

    @Test
    void aLargerRowThatACompactionOvertookIsReadAgainFromItsFirstCell() throws Exception {
        LongRow row = new LongRow(3);
        serve(row, () -> {
            if (asked.size() == 2) {
                row.overtake();
            } else if (asked.size() == 3) {
                // What it sees from here on stays.
                serve(new LongRow(3), () -> {});
            }
        });
        assertThat(qualifiers(table.read(LongRow.ROW))).containsExactly("q0", "q1", "q2");
        assertThat(asked)
                .extracting(scan -> scan.resume().isPresent())
                .startsWith(false, true, false)
                .endsWith(true, true);
    }

    @Test
    void whoIsInterruptedAsksNobody() {
        serve(new LongRow(1), () -> {});
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(() -> table.read(LongRow.ROW)).isInstanceOf(UnavailableException.class);
            assertThat(asked).isEmpty();
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }
}
