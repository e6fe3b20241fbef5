package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.ThreadScheduler;
import bt.tabletserver.Pools.ReadPool;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class TurnsTest {
    private final Turns turns = new Turns(10_000);
    private final List<String> done = new ArrayList<>();

    private void add(String whose, int count) {
        for (int i = 0; i < count; i++) {
            String name = whose + i;
            turns.add(whose, () -> done.add(name));
        }
    }

    private void take(int count) {
        for (int i = 0; i < count; i++) {
            turns.take().run();
        }
    }

    @Test
    void eachHasATurnHoweverMuchAnotherHasWaiting() {
        add("a", 1_000);
        add("b", 2);
        add("c", 1);
        take(6);
        assertThat(done).containsExactly("a0", "b0", "c0", "a1", "b1", "a2");
        add("b", 1);
        take(2);
        assertThat(done).endsWith("a3", "b0");
    }

    @Test
    void whatIsRefusedIsNotDone() {
        Turns four = new Turns(4);
        for (int i = 0; i < 3; i++) {
            String name = "a" + i;
            assertThat(four.add("a", () -> done.add(name))).isEqualTo(i < 2);
        }
        four.take().run();
        assertThat(four.add("b", () -> done.add("b"))).isTrue();
        four.take().run();
        four.take().run();
        assertThat(done).containsExactly("a0", "a1", "b");
        assertThatThrownBy(four::take).isInstanceOf(NoSuchElementException.class);
    }

    /** One request has as many writes that each depend on their row. */
    @Test
    void oneHasHalfOfTheRoomAtMost() {
        add("greedy", 10_000);
        add("modest", 1);
        take(3);
        assertThat(done).containsExactly("greedy0", "modest0", "greedy1");
        add("greedy", 3);
        take(5_000);
        assertThat(done).hasSize(5_003).endsWith("greedy0", "greedy1");
        assertThatThrownBy(turns::take).isInstanceOf(NoSuchElementException.class);
    }

    /** One request may have a hundred thousand writes of which each has its row read. */
    @Test
    void nobodyTakesAllOfTheRoom() {
        for (String greedy : List.of("a", "b", "c")) {
            add(greedy, 100_000);
        }
        add("modest", 1);
        take(4);
        assertThat(done).containsExactly("a0", "b0", "c0", "modest0");
    }

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
