package bt.examples.paper;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.client.Bigtable;
import bt.client.Table;
import bt.main.MiniBigtable;
import bt.model.GcRule;
import bt.model.TableSchema;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** What one caller of the bench does at a cluster. */
class RangeWorkIT {
    private static final int ROWS = 100;
    private static final double PER_SECOND = 200;

    @Test
    void atARateNoOperationBeginsBeforeItsTime() throws Exception {
        try (MiniBigtable cluster = MiniBigtable.start()) {
            RangeWork caller = caller(table(cluster, "rate"), Workload.SEQUENTIAL_WRITE);
            CountDownLatch left = new CountDownLatch(1);
            Pace pace = Pace.ofRate(PER_SECOND);

            long began = System.nanoTime();
            caller.begin(pace.step(), pace.nanosBetween(), left);
            caller.run(0, ROWS);
            caller.end();

            assertThat(System.nanoTime() - began).isGreaterThan((ROWS - 1) * pace.nanosBetween());
            assertThat(caller.operations()).isEqualTo(ROWS);
            assertThat(left.getCount()).isZero();
        }
    }

    @Test
    void someRowsOfABatchAndEachPageOfAScanAreTimed() throws Exception {
        try (MiniBigtable cluster = MiniBigtable.start()) {
            Table table = table(cluster, "timed");
            assertThat(latencies(table, Workload.SEQUENTIAL_WRITE_BATCHED).getTotalCount())
                    .isEqualTo(2);
            Histogram ofPages = latencies(table, Workload.SCAN);
            assertThat(ofPages.getTotalCount()).isBetween(1L, ROWS / 10L);
            assertThat(ofPages.getMinNonZeroValue()).isGreaterThan(1_000);
        }
    }

    private static Histogram latencies(Table table, Workload workload) throws Exception {
        RangeWork caller = caller(table, workload);
        caller.begin(1, 0, new CountDownLatch(1));
        caller.run(0, ROWS);
        caller.end();
        assertThat(caller.operations()).isEqualTo(ROWS);
        byte[] encoded = Base64.getDecoder().decode(RangeWork.latencies(List.of(caller)));
        return Histogram.decodeFromByteBuffer(ByteBuffer.wrap(encoded), 0);
    }

    private static Table table(MiniBigtable cluster, String name) throws BigtableException {
        Bigtable bigtable = cluster.bigtable();
        TableSchema draft = TableSchema.draft(name)
                .family(Rows.FAMILY, new GcRule.MaxVersions(1))
                .build();
        bigtable.admin().createTable(draft, List.of());
        return bigtable.table(name);
    }

    private static RangeWork caller(Table table, Workload workload) {
        return new RangeWork(table, workload, ROWS);
    }
}
