package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.ThreadScheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class ReadPoolTest {
    /** Both read threads are busy when a host asks for five thousand pages, and then another for ten. */
    @Test
    void thousandsOfReadsOfOneHostDoNotDelayThoseOfAnother() throws Exception {
        ThreadScheduler scheduler = new ThreadScheduler();
        TabletServerConfig config = ServedTablet.config();
        try (Pools pools = new Pools(scheduler, config)) {
            ReadPool reads = pools.reads(ServedTablet.TABLE);
            CountDownLatch gate = new CountDownLatch(1);
            ConcurrentLinkedQueue<String> order = new ConcurrentLinkedQueue<>();
            CountDownLatch all = new CountDownLatch(5_010);
            for (int i = 0; i < ServedTablet.READERS; i++) {
                reads.execute("busy", () -> awaitQuietly(gate));
            }
            for (int i = 0; i < 5_010; i++) {
                String host = i < 5_000 ? "greedy" : "modest";
                reads.execute(host, () -> {
                    order.add(host);
                    all.countDown();
                });
            }
            gate.countDown();
            all.await();
            List<String> first = new ArrayList<>(order).subList(0, 30);
            assertThat(first).filteredOn("modest"::equals).hasSize(10);
        } finally {
            scheduler.close();
        }
    }

    private static void awaitQuietly(CountDownLatch gate) {
        try {
            gate.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
