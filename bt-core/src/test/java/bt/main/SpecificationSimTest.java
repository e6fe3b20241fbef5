package bt.main;

import static org.assertj.core.api.Assertions.assertThat;

import bt.client.Bigtable;
import bt.testing.SeededTest;
import bt.testing.SimCluster;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** The pages of the specification hold on a cluster in memory: a master and two servers in the simulator. */
class SpecificationSimTest {
    @SeededTest(runs = 1)
    void answersStayWhatTheyAreThroughFlushesCompactionsSplitsAndMoves(RandomGenerator random) {
        live(random, SpecificationRun::run);
    }

    @SeededTest(runs = 2)
    void theyAreTheSameWithSuchThingsBetweenAnyTwoSteps(RandomGenerator random) {
        live(random, run -> assertThat(run.runWithTroubles(random, 1))
                .containsOnlyKeys(Troubles.Kind.values())
                .allSatisfy((kind, times) -> assertThat(times).as(kind.name()).isGreaterThan(3)));
    }

    private static void live(RandomGenerator random, Run what) {
        SimCluster cluster = new SimCluster(random.nextLong(), 1 << 15);
        cluster.startMaster();
        cluster.startServer();
        cluster.startServer();
        cluster.run(Duration.ofHours(6), () -> {
            try (SpecificationRun run = new SpecificationRun(new ProcessesOf(cluster), cluster.scheduler())) {
                what.on(run);
                assertThat(run.written())
                        .containsOnlyKeys("shell", "AsyncWrites", "SeveralWrites")
                        .allSatisfy((door, lines) -> assertThat(lines).as(door).isGreaterThan(50));
            } catch (Exception failed) {
                throw new AssertionError(failed);
            }
        });
    }

    /** One way through the pages. */
    @FunctionalInterface
    private interface Run {
        void on(SpecificationRun run) throws Exception;
    }

    /** In the simulator a process has the name of its user, but for those of the cluster's own. */
    private record ProcessesOf(SimCluster cluster) implements SpecificationRun.Users {
        @Override
        public Bigtable owner() {
            return cluster.client("master's-shell");
        }

        @Override
        public Bigtable user(String name) {
            return cluster.client(name);
        }
    }
}
