package bt.mapreduce.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.RejectedException;
import bt.client.Bigtable;
import bt.client.LongRow;
import bt.client.Scan;
import bt.model.Cell;
import bt.model.GcRule;
import bt.model.RowRange;
import bt.model.TableSchema;
import bt.protocol.Service;
import bt.testing.MemoryCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.mapreduce.Counters;
import org.junit.jupiter.api.Test;

class CellRecordsTest {
    private static final TableSchema DRAFT =
            TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build();

    private final Counters counters = new Counters();

    @Test
    void aRowThatACompactionOvertakesIsReadToItsEndAndCounted() throws Exception {
        LongRow row = new LongRow(4);
        assertThat(read(row, row))
                .extracting(cell -> cell.column().qualifier().toUtf8())
                .containsExactly("q0", "q1", "q2", "q3");
        assertThat(counted(InputCounter.TWO_MOMENTS)).isEqualTo(1);
        assertThat(counted(InputCounter.ROWS)).isEqualTo(1);
        assertThat(counted(InputCounter.CELLS)).isEqualTo(4);
        assertThat(counted(InputCounter.CELLS_SEEN)).isEqualTo(4);
    }

    @Test
    void whatIsRefusedForAnotherReasonFailsTheTask() {
        Service refusing = (caller, request) ->
                CompletableFuture.failedFuture(new RejectedException("not with these rights", "ask for another"));
        assertThatThrownBy(() -> read(refusing, new LongRow(1)))
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining("not with these rights");
        assertThat(counted(InputCounter.TWO_MOMENTS)).isZero();
    }

    private long counted(InputCounter counter) {
        return counters.findCounter(counter).getValue();
    }

    private List<Cell> read(Service server, LongRow row) throws Exception {
        List<Cell> read = new ArrayList<>();
        try (MemoryCluster cluster = new MemoryCluster()) {
            cluster.table(4, DRAFT, List.of(), 3);
            cluster.listen(MemoryCluster.address(3), server);
            try (Bigtable bigtable = Bigtable.over(cluster, cluster.locks, cluster.scheduler);
                    CellRecords cells = new CellRecords(
                            bigtable.table("t").cells(Scan.of(RowRange.row(LongRow.ROW))), counters::findCounter)) {
                for (Optional<Cell> cell = cells.next(); cell.isPresent(); cell = cells.next()) {
                    read.add(cell.get());
                    row.overtake();
                }
            }
        }
        return read;
    }
}
