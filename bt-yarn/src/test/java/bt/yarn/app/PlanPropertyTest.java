package bt.yarn.app;

import static org.assertj.core.api.Assertions.assertThat;

import bt.testing.ManualClock;
import bt.testing.SeededTest;
import bt.yarn.spec.ClusterSpec;
import bt.yarn.spec.Held;
import bt.yarn.spec.Held.State;
import bt.yarn.spec.Role;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/** Plan and fleet against a YARN that grants late, twice or not at all, whose processes die at any time. */
class PlanPropertyTest {
    private static final int STEPS = 300;
    private static final int QUIET_STEPS = 400;

    @SeededTest(runs = 200)
    void thereAreNeverTooManyAndInTheEndAsManyAsWanted(RandomGenerator random) {
        ModelOfYarn yarn =
                new ModelOfYarn(new ClusterSpec(1 + random.nextInt(6), 1 + random.nextInt(3), 512, 512), random);
        for (int i = 0; i < STEPS; i++) {
            yarn.trouble();
            yarn.step(Stop.NOT_ASKED);
        }
        for (int i = 0; i < QUIET_STEPS; i++) {
            yarn.step(Stop.NOT_ASKED);
        }
        for (Role role : Role.values()) {
            assertThat(yarn.processes(role)).as("%s", role).isEqualTo(yarn.spec.wanted(role));
        }
        assertThat(yarn.fleet.observed(Stop.NOT_ASKED).asked().values()).containsOnly(0);
    }

    @SeededTest(runs = 200)
    void aClusterThatIsToStopEndsWhateverHappens(RandomGenerator random) {
        ModelOfYarn yarn =
                new ModelOfYarn(new ClusterSpec(1 + random.nextInt(6), 1 + random.nextInt(3), 512, 512), random);
        for (int i = random.nextInt(STEPS); i > 0; i--) {
            yarn.trouble();
            yarn.step(Stop.NOT_ASKED);
        }
        for (int i = 0; i < 50 && !yarn.finished; i++) {
            yarn.step(i < 20 && yarn.stopTold ? Stop.UNDER_WAY : i < 20 ? Stop.ASKED : Stop.OVERDUE);
        }
        assertThat(yarn.finished).isTrue();
        assertThat(yarn.fleet.held()).isEmpty();
    }

    private static final class ModelOfYarn implements Action.Hands {
        private final ClusterSpec spec;
        private final RandomGenerator random;
        private final ManualClock clock = new ManualClock(0);
        private final List<Role> requests = new ArrayList<>();
        private final Set<String> launched = new HashSet<>();
        private Fleet fleet = new Fleet(clock);
        private int containers;
        private boolean stopTold;
        private boolean finished;

        ModelOfYarn(ClusterSpec spec, RandomGenerator random) {
            this.spec = spec;
            this.random = random;
        }

        void step(Stop stop) {
            clock.set(clock.micros() + 1_000_000);
            for (Role role : List.copyOf(requests)) {
                if (random.nextInt(3) == 0) {
                    requests.remove(role);
                    grant(role);
                }
            }
            for (Held held : fleet.held()) {
                if (held.state() == State.STARTING && random.nextBoolean()) {
                    fleet.moved(held.id(), State.RUNNING);
                } else if (held.state() == State.ENDING && random.nextBoolean()) {
                    fleet.completed(held.id());
                }
            }
            Plan.next(spec, fleet.observed(stop)).forEach(action -> action.by(this));
            for (Role role : Role.values()) {
                assertThat(processes(role)).isLessThanOrEqualTo(spec.wanted(role));
            }
        }

        /** A grant that nobody asked for, a death, the next attempt of the application master, or a node that is decommissioned. */
        void trouble() {
            List<Held> held = fleet.held();
            switch (random.nextInt(20)) {
                case 0 -> grant(random.nextBoolean() ? Role.MASTER : Role.TABLET_SERVER);
                case 1, 2 -> {
                    if (!held.isEmpty()) {
                        fleet.completed(held.get(random.nextInt(held.size())).id());
                    }
                }
                case 3 -> nextAttempt(held);
                case 4 -> {
                    if (!held.isEmpty()) {
                        fleet.leaves(
                                Set.of(held.get(random.nextInt(held.size())).id()));
                    }
                }
                default -> {}
            }
        }

        /** YARN forgets requests with the attempt, and kills what had not started. */
        private void nextAttempt(List<Held> before) {
            requests.clear();
            fleet = new Fleet(clock);
            before.stream()
                    .filter(held -> held.state() == State.RUNNING || held.state() == State.STARTING)
                    .forEach(held -> fleet.adopted(held.in(State.RUNNING)));
        }

        private void grant(Role role) {
            Held held = new Held("container " + containers++, role, "host", State.GRANTED);
            fleet.granted(held);
        }

        /** What was launched and may still run. */
        long processes(Role role) {
            return fleet.held().stream()
                    .filter(held -> held.role() == role && launched.contains(held.id()))
                    .count();
        }

        @Override
        public void ask(Role role, int count) {
            for (int i = 0; i < count; i++) {
                requests.add(role);
            }
            fleet.asked(role, count);
        }

        @Override
        public void withdraw(Role role, int count) {
            for (int i = 0; i < count; i++) {
                requests.remove(role);
            }
            fleet.asked(role, -count);
        }

        @Override
        public void launch(Held container) {
            launched.add(container.id());
            fleet.moved(container.id(), State.STARTING);
        }

        @Override
        public void giveBack(Held container) {
            fleet.moved(container.id(), State.ENDING);
        }

        @Override
        public void retire(Held container) {
            fleet.moved(container.id(), State.ENDING);
        }

        @Override
        public void stopCluster() {
            stopTold = true;
        }

        @Override
        public void finish() {
            finished = true;
        }
    }
}
