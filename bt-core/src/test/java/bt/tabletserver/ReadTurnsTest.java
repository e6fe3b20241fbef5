package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.ThreadScheduler;
import bt.base.Turns.Turn;
import bt.model.TableSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ReadTurnsTest {
    private final ReadTurns turns = new ReadTurns(10_000, 1);
    private final List<String> done = new ArrayList<>();

    private void add(String whose, int count) {
        for (int i = 0; i < count; i++) {
            String name = whose + i;
            turns.add(whose, () -> done.add(name));
        }
    }

    private void take(int count) {
        for (int i = 0; i < count; i++) {
            take(turns);
        }
    }

    private static void take(ReadTurns turns) {
        Turn<Runnable> turn = turns.begin().orElseThrow();
        turn.item().run();
        turns.end(turn);
    }

    /** Of as many as may begin now, whose they are. */
    private static List<String> beginAll(ReadTurns turns) {
        return Stream.generate(turns::begin)
                .takeWhile(Optional::isPresent)
                .map(turn -> turn.get().whose())
                .toList();
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
        ReadTurns four = new ReadTurns(4, 1);
        for (int i = 0; i < 3; i++) {
            String name = "a" + i;
            assertThat(four.add("a", () -> done.add(name))).isEqualTo(i < 2);
        }
        take(four);
        assertThat(four.add("b", () -> done.add("b"))).isTrue();
        take(four);
        take(four);
        assertThat(done).containsExactly("a0", "a1", "b");
        assertThat(four.begin()).isEmpty();
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
        assertThat(turns.begin()).isEmpty();
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

    /** One has half of all threads, the next half of the rest; who ends one leaves it to who has fewest. */
    @Test
    void whoHasAsMuchUnderWayAsIsLeftFreeWaits() {
        ReadTurns sixteen = new ReadTurns(10_000, 16);
        Runnable nothing = () -> {};
        for (String host : List.of("a", "b", "c", "d")) {
            for (int i = 0; i < 100; i++) {
                sixteen.add(host, nothing);
            }
            List<String> begun = beginAll(sixteen);
            assertThat(begun)
                    .containsOnly(host)
                    .hasSize(host.equals("a") ? 8 : host.equals("b") ? 4 : host.equals("c") ? 2 : 1);
        }
        sixteen.add(ReadTurns.OWN, nothing);
        sixteen.add(ReadTurns.OWN, nothing);
        assertThat(beginAll(sixteen)).containsExactly(ReadTurns.OWN);
        sixteen.add("e", nothing);
        assertThat(beginAll(sixteen)).containsExactly("e");
        sixteen.add("f", nothing);
        assertThat(beginAll(sixteen)).isEmpty();
        sixteen.end(new Turn<>(ReadTurns.OWN, nothing));
        assertThat(beginAll(sixteen)).containsExactly(ReadTurns.OWN);
        sixteen.end(new Turn<>("a", nothing));
        assertThat(beginAll(sixteen)).containsExactly("f");
        for (int i = 0; i < 4; i++) {
            sixteen.end(new Turn<>("a", nothing));
        }
        assertThat(beginAll(sixteen)).containsExactly("a", "c", "d");
    }

    /** They wait as for values under an expression of many steps. */
    @Test
    void slowReadsOfOneHostKeepNeitherThoseOfAnotherWaitingNorTheCanary() throws Exception {
        ThreadScheduler scheduler = new ThreadScheduler();
        CountDownLatch gate = new CountDownLatch(1);
        try (Pools pools = new Pools(scheduler, TabletServerConfig.DEFAULT)) {
            for (long table : new long[] {ServedTablet.TABLE, TableSchema.METADATA_ID}) {
                ReadPool reads = pools.reads(table);
                for (int i = 0; i < 16; i++) {
                    reads.execute("slow", () -> awaitQuietly(gate));
                }
                CountDownLatch others = new CountDownLatch(2);
                reads.execute("modest", others::countDown);
                reads.execute(ReadTurns.OWN, others::countDown);
                assertThat(others.await(30, TimeUnit.SECONDS)).isTrue();
            }
        } finally {
            gate.countDown();
            scheduler.close();
        }
    }

    /** As many hosts read slowly as there are threads; changes of METADATA wait for none of them, nor does the canary. */
    @Test
    void slowReadsOfMetadataKeepNoneOfItsChangesWaiting() throws Exception {
        ThreadScheduler scheduler = new ThreadScheduler();
        CountDownLatch gate = new CountDownLatch(1);
        try (Pools pools = new Pools(scheduler, TabletServerConfig.DEFAULT)) {
            for (int host = 0; host < 20; host++) {
                for (int i = 0; i < 100; i++) {
                    pools.reads(TableSchema.METADATA_ID).execute("slow" + host, () -> awaitQuietly(gate));
                }
            }
            CountDownLatch others = new CountDownLatch(2);
            pools.evaluations(TableSchema.METADATA_ID).execute("server", others::countDown);
            pools.reads(TableSchema.METADATA_ID).execute(ReadTurns.OWN, others::countDown);
            assertThat(others.await(30, TimeUnit.SECONDS)).isTrue();
        } finally {
            gate.countDown();
            scheduler.close();
        }
    }

    /** The read thread is busy when a host asks for five thousand pages, and then another for ten. */
    @Test
    void thousandsOfReadsOfOneHostDoNotDelayThoseOfAnother() throws Exception {
        ThreadScheduler scheduler = new ThreadScheduler();
        try (ReadPool reads = new ReadPool(scheduler, "read", 1)) {
            CountDownLatch gate = new CountDownLatch(1);
            ConcurrentLinkedQueue<String> order = new ConcurrentLinkedQueue<>();
            CountDownLatch all = new CountDownLatch(5_010);
            reads.execute("busy", () -> awaitQuietly(gate));
            for (int i = 0; i < 5_010; i++) {
                String host = i < 5_000 ? "greedy" : "modest";
                reads.execute(host, () -> {
                    order.add(host);
                    all.countDown();
                });
            }
            gate.countDown();
            all.await();
            List<String> first = new ArrayList<>(order).subList(0, 20);
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
