package bt.shell;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.RejectedException;
import bt.client.Bigtable;
import bt.client.LongRow;
import bt.client.Scan;
import bt.model.Cell;
import bt.model.ColumnKey;
import bt.model.GcRule;
import bt.model.RowRange;
import bt.model.TableSchema;
import bt.protocol.Service;
import bt.testing.MemoryCluster;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ExportCommandTest {
    private static final TableSchema DRAFT =
            TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build();

    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private final List<Cell> written = new ArrayList<>();

    @Test
    void aRowThatACompactionOvertakesIsExportedToItsEndAndThatIsSaid() throws Exception {
        LongRow row = new LongRow(4);
        assertThat(export(row, row)).isEqualTo(4);
        assertThat(written)
                .extracting(Cell::column)
                .containsExactly(
                        ColumnKey.of("f", "q0"),
                        ColumnKey.of("f", "q1"),
                        ColumnKey.of("f", "q2"),
                        ColumnKey.of("f", "q3"));
        assertThat(said.toString(UTF_8)).hasLineCount(1).startsWith("of two moments");
    }

    @Test
    void whatIsRefusedForAnotherReasonEndsIt() {
        Service refusing =
                (caller, request) -> CompletableFuture.failedFuture(new RejectedException("not with these rights"));
        assertThatThrownBy(() -> export(refusing, new LongRow(1))).isInstanceOf(RejectedException.class);
        assertThat(said.toString(UTF_8)).isEmpty();
    }

    private long export(Service server, LongRow row) throws Exception {
        try (MemoryCluster cluster = new MemoryCluster()) {
            cluster.table(4, DRAFT, List.of(), 3);
            cluster.listen(MemoryCluster.address(3), server);
            try (Bigtable bigtable = Bigtable.over(cluster, cluster.locks, cluster.scheduler)) {
                return ExportCommand.copy(
                        bigtable.table("t"),
                        Scan.of(RowRange.row(LongRow.ROW)),
                        cell -> {
                            written.add(cell);
                            row.overtake();
                        },
                        new PrintStream(said, true, UTF_8));
            }
        }
    }
}
