package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.protocol.Address;
import bt.testing.Faults;
import bt.testing.Faults.Failure;
import bt.testing.Faults.Fault;
import bt.testing.FileOperation;
import bt.testing.SeededTest;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;

/** Tablets that are split and merged while they are written, whoever dies in the middle: every row stays where it is found, once. */
class MergeSimTest {
    private static final int STEPS = 80;

    @SeededTest(runs = 5)
    void whatWasSplitIsMergedAndSplitAgain(RandomGenerator random) {
        WrittenTable run = new WrittenTable(random);
        run.sim.run(Duration.ofMinutes(60), () -> {
            run.begin();
            for (int i = 0; i < 3; i++) {
                run.sim.split(run.table, Optional.of(Bytes.utf8("f")));
                run.sim.split(run.table, Optional.of(Bytes.utf8("p")));
                run.sim.merge(run.table, Bytes.utf8("a"), Bytes.utf8("z"));
            }
            run.end();
            assertThat(run.sim.tablets(run.table)).hasSize(1);
        });
    }

    @SeededTest(runs = 20)
    void aServerThatDiesAtAnyStepOfAMergeLosesNothing(RandomGenerator random) {
        WrittenTable run = new WrittenTable(random);
        run.sim.run(Duration.ofMinutes(60), () -> {
            run.begin();
            run.sim.split(run.table, Optional.of(Bytes.utf8("m")));
            run.sim.crashAtStep("server", 1 + random.nextInt(STEPS));
            run.sim.merge(run.table, Bytes.utf8("a"), Bytes.utf8("z"));
            run.sim.startServer("server-after");
            run.end();
            assertThat(run.sim.tablets(run.table)).hasSize(1);
        });
    }

    @SeededTest(runs = 20)
    void aMasterThatDiesAtAnyStepOfAMergeLeavesWhatAnotherCompletesOrUndoes(RandomGenerator random) {
        WrittenTable run = new WrittenTable(random);
        run.sim.run(Duration.ofMinutes(60), () -> {
            run.begin();
            run.sim.split(run.table, Optional.of(Bytes.utf8("f")));
            run.sim.split(run.table, Optional.of(Bytes.utf8("p")));
            run.sim.crashAtStep("master", 1 + random.nextInt(20));
            run.sim.scheduler.start("late master", () -> {
                run.sim.scheduler.pause(500 + random.nextLong(2_000));
                run.sim.crashMaster();
                run.sim.startMaster();
            });
            run.sim.merge(run.table, Bytes.utf8("a"), Bytes.utf8("z"));
            run.end();
            assertThat(run.sim.tablets(run.table)).hasSize(1);
        });
    }

    /** A file of one tablet takes twenty seconds to write, just then. */
    @SeededTest(runs = 3)
    void aMergeThatNobodyAskedForKeepsNoTabletForLong(RandomGenerator random) {
        withASlowUpperHalf(random, (run, sim) -> {
            AtomicBoolean over = new AtomicBoolean();
            sim.scheduler.after(Duration.ofMinutes(15).toMillis(), () -> over.set(true));
            assertThat(longestRead(run, sim, over)).isBetween(Duration.ofMillis(100), Duration.ofSeconds(3));
        });
    }

    /** It gives the lower one back after five seconds, and is done when the upper one's memory is in files. */
    @SeededTest(runs = 3)
    void aMergeThatSomebodyWaitsForKeepsNoTabletForLongHoweverOftenHeAsks(RandomGenerator random) {
        withASlowUpperHalf(random, (run, sim) -> {
            AtomicBoolean over = new AtomicBoolean();
            sim.scheduler.after(25_000, () -> sim.faults = (operation, path) -> Faults.NONE);
            sim.scheduler.start("admin", () -> {
                sim.merge(run.table, Bytes.utf8("a"), Bytes.utf8("z"));
                over.set(true);
            });
            long begun = sim.scheduler.clock().nanos();
            assertThat(longestRead(run, sim, over)).isBetween(Duration.ofMillis(100), Duration.ofSeconds(7));
            assertThat(Duration.ofNanos(sim.scheduler.clock().nanos() - begun)).isLessThan(Duration.ofSeconds(60));
            assertThat(sim.tablets(run.table)).hasSize(1);
        });
    }

    private interface SlowStory {
        void tell(WrittenTable run, SimServers sim) throws InterruptedException;
    }

    private static void withASlowUpperHalf(RandomGenerator random, SlowStory story) {
        WrittenTable run = new WrittenTable(random);
        SimServers sim = run.sim;
        sim.run(Duration.ofMinutes(120), () -> {
            run.begin();
            sim.split(run.table, Optional.empty());
            sim.startServer("server-3");
            sim.scheduler.pause(Duration.ofMinutes(1).toMillis());
            String lower = Address.parse(
                            sim.tablets(run.table).get(0).location().getAddress())
                    .host();
            String slow = lower.equals("server-2") ? "server-1" : "server-2";
            sim.move(run.table, slow);
            AtomicReference<String> turn = new AtomicReference<>("");
            sim.steps = turn::set;
            sim.faults = (operation, path) ->
                    slow.equals(turn.get()) && operation == FileOperation.CREATE && path.startsWith("data/" + run.table)
                            ? new Fault(20_000, Failure.NONE)
                            : Faults.NONE;
            // Or nothing of it is in memory.
            sim.scheduler.pause(Duration.ofSeconds(2).toMillis());
            story.tell(run, sim);
            sim.faults = (operation, path) -> Faults.NONE;
            run.end();
        });
    }

    /** Of a row of the lower half, which is asked for again and again until that is over. */
    private static Duration longestRead(WrittenTable run, SimServers sim, AtomicBoolean over)
            throws InterruptedException {
        long longest = 0;
        while (!over.get()) {
            long asked = sim.scheduler.clock().nanos();
            assertThat(sim.read(run.table, Bytes.utf8("a/none"))).isEmpty();
            longest = Math.max(longest, sim.scheduler.clock().nanos() - asked);
            sim.scheduler.pause(200);
        }
        return Duration.ofNanos(longest);
    }

    @SeededTest(runs = 2)
    void smallNeighboursAreMergedByThemselvesButNotAcrossARowThatAUserGave(RandomGenerator random) {
        WrittenTable run = new WrittenTable(random);
        run.sim.run(Duration.ofMinutes(120), () -> {
            run.begin();
            run.sim.split(run.table, Optional.of(Bytes.utf8("m")));
            run.sim.split(run.table, Optional.empty());
            run.sim.split(run.table, Optional.empty());
            assertThat(run.sim.tablets(run.table)).hasSize(4);
            run.end();
            run.sim.scheduler.pause(Duration.ofMinutes(25).toMillis());
            assertThat(run.sim.tablets(run.table)).hasSize(2);
            run.check();
        });
    }
}
