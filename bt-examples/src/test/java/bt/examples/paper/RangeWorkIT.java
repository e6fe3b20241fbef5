package bt.examples.paper;

import static org.assertj.core.api.Assertions.assertThat;

import bt.client.Bigtable;
import bt.main.MiniBigtable;
import bt.model.GcRule;
import bt.model.TableSchema;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** What one caller of the bench does at a cluster. */
class RangeWorkIT {
    private static final int ROWS = 100;
    private static final double PER_SECOND = 200;

    @Test
    void atARateNoOperationBeginsBeforeItsTime() throws Exception {
        try (MiniBigtable cluster = MiniBigtable.start()) {
            Bigtable bigtable = cluster.bigtable();
            TableSchema draft = TableSchema.draft("rate")
                    .family(Rows.FAMILY, new GcRule.MaxVersions(1))
                    .build();
            bigtable.admin().createTable(draft, List.of());
            RangeWork caller = new RangeWork(bigtable.table("rate"), Workload.SEQUENTIAL_WRITE, ROWS);
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
}
