package bt.yarn.app;

import static org.assertj.core.api.Assertions.assertThat;

import bt.yarn.spec.ClusterSpec;
import bt.yarn.spec.Held;
import bt.yarn.spec.Held.State;
import bt.yarn.spec.Role;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A table: what is held, asked for and resting, whether the end is asked for, and what is to be done. A container is written
 * as its role (M, T) and its state (g, s, r, e for granted, starting, running, ending), numbered in order, with an exclamation
 * mark if YARN is about to take it; two tablet servers are wanted, and one master or two.
 */
class PlanTest {
    private static final ClusterSpec ONE_MASTER = new ClusterSpec(2, 1, 512, 1024);
    private static final ClusterSpec TWO_MASTERS = new ClusterSpec(2, 2, 512, 1024);

    static Stream<Arguments> situations() {
        return Stream.of(
                row("nothing yet", "", "", "", Stop.NOT_ASKED, "ask 1 M, ask 2 T"),
                row("all is asked for", "", "M T T", "", Stop.NOT_ASKED, ""),
                row("all runs", "Mr Tr Tr", "", "", Stop.NOT_ASKED, ""),
                row("what is granted is started", "Mg Tg", "T", "", Stop.NOT_ASKED, "launch 1, launch 2"),
                row("more granted than wanted", "Mr Tr Tg Tg", "", "", Stop.NOT_ASKED, "launch 3, give back 4"),
                row("more asked for than wanted", "Mr Tr Tr", "T", "", Stop.NOT_ASKED, "withdraw 1 T"),
                row("granted beside what is asked", "Mr Tr Tg", "T T", "", Stop.NOT_ASKED, "launch 3, withdraw 2 T"),
                row("a tablet server died", "Mr Tr", "", "", Stop.NOT_ASKED, "ask 1 T"),
                row("the master died", "Tr Tr", "", "", Stop.NOT_ASKED, "ask 1 M"),
                row("it died at once", "Mr Tr", "", "T", Stop.NOT_ASKED, ""),
                row("the other role does not rest", "Tr", "", "T", Stop.NOT_ASKED, "ask 1 M"),
                row("what ends may still run", "Mr Tr Te", "", "", Stop.NOT_ASKED, ""),
                row("too many taken over", "Mr Tr Ts Tr", "", "", Stop.NOT_ASKED, "retire 4"),
                row("two masters taken over", "Mr Mr Tr Tr", "", "", Stop.NOT_ASKED, "give back 2"),
                row("a node is decommissioned", "Mr! Tr! Tr", "", "", Stop.NOT_ASKED, "give back 1, retire 2"),
                row("a server is preempted", "Mr Tr Ts!", "", "", Stop.NOT_ASKED, "retire 3"),
                row("it is drained already", "Mr Tr Te!", "", "", Stop.NOT_ASKED, ""),
                row("it is the one too many", "Mr Tr! Tr Tr", "", "", Stop.NOT_ASKED, "retire 2"),
                row("stop, by the master", "Mr Tr Tr", "", "", Stop.ASKED, "stop cluster"),
                row("stop before all runs", "Mr Tg", "T", "", Stop.ASKED, "give back 2, withdraw 1 T, stop cluster"),
                row("stop without a master", "Tr Te", "M", "", Stop.ASKED, "withdraw 1 M, give back 1"),
                row("stop under way", "Mr Tr", "", "", Stop.UNDER_WAY, ""),
                row("nothing is replaced then", "Mr", "", "", Stop.UNDER_WAY, ""),
                row("the servers have ended", "Mr Mr Te", "", "", Stop.SERVERS_ENDED, "give back 1, give back 2"),
                row("the servers are ending", "Mr Mr Tr", "", "", Stop.SERVERS_ENDED, "give back 1, give back 2"),
                row("overdue", "Mr Te Tr", "", "", Stop.OVERDUE, "give back 1, give back 3"),
                row("ended", "", "", "", Stop.UNDER_WAY, "finish"),
                row("stopped before it began", "", "M T T", "", Stop.ASKED, "withdraw 1 M, withdraw 2 T, finish"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("situations")
    void whatIsSeenDecidesWhatIsDone(String name, Observed observed, String actions) {
        List<String> done = new ArrayList<>();
        Plan.next(ONE_MASTER, observed).forEach(action -> action.by(new Writer(done)));
        assertThat(String.join(", ", done)).isEqualTo(actions);
    }

    static Stream<Arguments> situationsWithAStandby() {
        return Stream.of(
                row("nothing yet", "", "", "", Stop.NOT_ASKED, "ask 1 M, ask 2 T"),
                row("the first is asked for", "", "M T T", "", Stop.NOT_ASKED, ""),
                row("the first is there", "Mg Tr Tr", "", "", Stop.NOT_ASKED, "launch 1, ask 1 M"),
                row("the second is asked for", "Mr Tr Tr", "M", "", Stop.NOT_ASKED, ""),
                row("all runs", "Mr Mr Tr Tr", "", "", Stop.NOT_ASKED, ""),
                row("one of them died", "Mr Tr Tr", "", "", Stop.NOT_ASKED, "ask 1 M"),
                row("both died", "Tr Tr", "", "", Stop.NOT_ASKED, "ask 1 M"),
                row("three taken over", "Mr Mr Mr Tr Tr", "", "", Stop.NOT_ASKED, "give back 3"),
                row("stop, by the master", "Mr Mr Tr Tr", "", "", Stop.ASKED, "stop cluster"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("situationsWithAStandby")
    void mastersAreAskedForOneAfterTheOther(String name, Observed observed, String actions) {
        List<String> done = new ArrayList<>();
        Plan.next(TWO_MASTERS, observed).forEach(action -> action.by(new Writer(done)));
        assertThat(String.join(", ", done)).isEqualTo(actions);
    }

    private static Arguments row(String name, String held, String asked, String resting, Stop stop, String actions) {
        List<Held> containers = new ArrayList<>();
        Set<String> leaving = new HashSet<>();
        for (String word : words(held)) {
            State state = Stream.of(State.values())
                    .filter(s -> s.name().toLowerCase(java.util.Locale.ROOT).charAt(0) == word.charAt(1))
                    .findFirst()
                    .orElseThrow();
            String id = String.valueOf(containers.size() + 1);
            containers.add(new Held(id, role(word), "host", state));
            if (word.endsWith("!")) {
                leaving.add(id);
            }
        }
        Map<Role, Integer> requests = new EnumMap<>(Role.class);
        words(asked).forEach(word -> requests.merge(role(word), 1, Integer::sum));
        Set<Role> tired = EnumSet.noneOf(Role.class);
        words(resting).forEach(word -> tired.add(role(word)));
        return Arguments.of(name, new Observed(containers, leaving, requests, tired, stop), actions);
    }

    private static List<String> words(String text) {
        return text.isEmpty() ? List.of() : List.of(text.split(" "));
    }

    private static Role role(String word) {
        return word.charAt(0) == 'M' ? Role.MASTER : Role.TABLET_SERVER;
    }

    private static String letter(Role role) {
        return role == Role.MASTER ? "M" : "T";
    }

    private record Writer(List<String> done) implements Action.Hands {
        @Override
        public void ask(Role role, int count) {
            done.add("ask " + count + " " + letter(role));
        }

        @Override
        public void withdraw(Role role, int count) {
            done.add("withdraw " + count + " " + letter(role));
        }

        @Override
        public void launch(Held container) {
            done.add("launch " + container.id());
        }

        @Override
        public void giveBack(Held container) {
            done.add("give back " + container.id());
        }

        @Override
        public void retire(Held container) {
            done.add("retire " + container.id());
        }

        @Override
        public void stopCluster() {
            done.add("stop cluster");
        }

        @Override
        public void finish() {
            done.add("finish");
        }
    }
}
