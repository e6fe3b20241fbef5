package bt.master;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.master.Balance.Step;
import bt.master.Balance.Weighed;
import bt.master.Relief.Held;
import bt.master.Relief.Server;
import bt.model.TabletId;
import bt.protocol.Address;
import bt.testing.SeededTest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReliefTest {
    private static final long MOST = 1_000;

    /** So much is taken in bytes that are no tablet's. */
    private static Server server(int number, long takenBytes, Held... tablets) {
        return new Server(
                new Member("server-" + number, new Address("host-" + number, 1), number, ""),
                takenBytes + List.of(tablets).stream().mapToLong(Held::bytes).sum(),
                MOST,
                List.of(tablets));
    }

    private static Held tablet(int number, long bytes) {
        return new Held(id(number), bytes, 0, true);
    }

    private static TabletId id(int number) {
        return new TabletId(4, Optional.of(Bytes.utf8("%05d".formatted(number))));
    }

    private static List<Step> plan(int most, Server... servers) {
        return Relief.plan(List.of(servers), most, member -> most);
    }

    @Test
    void aFullServerGivesWhatTakesMostToTheEmptiest() {
        Server full = server(1, 700, tablet(1, 50), tablet(2, 100), tablet(3, 50));
        Server emptiest = server(3, 100);
        assertThat(plan(1, full, server(2, 400), emptiest))
                .containsExactly(new Step(id(2), full.member(), emptiest.member()));
    }

    @Test
    void ofTabletsThatTakeAsMuchTheOneThatIsAskedForLeastMoves() {
        Server full = server(
                1, 700, new Held(id(1), 100, 7, true), new Held(id(2), 100, 3, true), new Held(id(3), 100, 0, false));
        assertThat(plan(1, full, server(2, 0))).extracting(Step::tablet).containsExactly(id(2));
    }

    @Test
    void noMoreIsGivenThanMakesAServerFullNoMore() {
        Server full = server(1, 800, tablet(1, 40), tablet(2, 40), tablet(3, 40));
        assertThat(plan(10, full, server(2, 0))).hasSize(2);
    }

    @Test
    void oneThatIsNotFullGivesNothing() {
        assertThat(plan(10, server(1, 774, tablet(1, 100)), server(2, 0))).isEmpty();
    }

    @Test
    void nothingIsGivenToOneThatHasLessThanHalfLeft() {
        assertThat(plan(10, server(1, 900, tablet(1, 50)), server(2, 500))).isEmpty();
        assertThat(plan(10, server(1, 900, tablet(1, 50)), server(2, 499))).hasSize(1);
    }

    /** Both would have changed places. */
    @Test
    void aTabletThatTakesMostOfAServerStays() {
        assertThat(plan(10, server(1, 0, tablet(1, 900)), server(2, 0))).isEmpty();
    }

    @Test
    void noServerTakesPartInMoreMovesThanItHasRoomFor() {
        Server full = server(1, 800, tablet(1, 40), tablet(2, 40), tablet(3, 40));
        assertThat(Relief.plan(List.of(full, server(2, 0)), 10, member -> 1)).hasSize(1);
    }

    @Test
    void aServerThatIsNearlyFullTakesNothingForLoadsWhileAnotherHasClearlyMoreLeft() {
        Server nearly = server(1, 750);
        assertThat(Relief.nearlyFull(List.of(nearly, server(2, 500)))).containsExactly(nearly.member());
        assertThat(Relief.nearlyFull(List.of(nearly, server(2, 501)))).isEmpty();
        assertThat(Relief.nearlyFull(List.of(server(1, 749), server(2, 0)))).isEmpty();
    }

    @Test
    void noServerIsGivenForLoadsWhatWouldMakeItFull() {
        Server nearly = server(1, 734);
        Held large = tablet(1, 141);
        Held smaller = tablet(2, 140);
        BiPredicate<Member, TabletId> fits = Relief.fitting(List.of(nearly, server(2, 350, large, smaller)));
        assertThat(fits.test(nearly.member(), large.id())).isFalse();
        assertThat(fits.test(nearly.member(), smaller.id())).isTrue();
    }

    @SeededTest(runs = 500)
    void theMovesComeToAnEndAndLeaveNoTakerNearlyFull(RandomGenerator random) {
        List<Server> servers = random(random, 100);
        int tablets =
                servers.stream().mapToInt(server -> server.tablets().size()).sum();
        List<Step> steps = Relief.plan(servers, Integer.MAX_VALUE, member -> Integer.MAX_VALUE);
        assertThat(steps)
                .hasSizeLessThanOrEqualTo(tablets)
                .extracting(Step::tablet)
                .doesNotHaveDuplicates();
        List<Server> after = after(servers, steps);
        assertThat(after.stream().filter(server -> isTaker(server, steps)))
                .allSatisfy(server -> assertThat(server.taken()).isLessThanOrEqualTo(0.75));
        assertThat(Relief.plan(after, 1, member -> 1)).isEmpty();
    }

    /** By loads, of which nothing else is known, what was given may be wanted back. */
    @SeededTest(runs = 200)
    void withTheBalanceOfLoadsTheMovesComeToAnEndToo(RandomGenerator random) {
        List<Server> servers = random(random, random.nextInt(100, 400));
        Map<TabletId, Double> loads = new HashMap<>();
        servers.forEach(
                server -> server.tablets().forEach(tablet -> loads.put(tablet.id(), random.nextDouble() * (1 << 30))));
        int rounds = 0;
        for (List<Step> steps = next(servers, loads); !steps.isEmpty(); steps = next(servers, loads)) {
            servers = after(servers, steps);
            rounds++;
            assertThat(rounds).isLessThan(2_000);
        }
    }

    private static List<Step> next(List<Server> servers, Map<TabletId, Double> loads) {
        List<Step> steps = Relief.plan(servers, 1, member -> 1);
        if (!steps.isEmpty()) {
            return steps;
        }
        Set<Member> closed = new HashSet<>(Relief.nearlyFull(servers));
        servers.stream().filter(server -> server.taken() >= 0.875).forEach(full -> closed.add(full.member()));
        List<Balance.Server> byLoad = servers.stream()
                .map(server -> new Balance.Server(
                        server.member(),
                        server.tablets().stream()
                                .map(tablet -> new Weighed(
                                        tablet.id(),
                                        loads.getOrDefault(tablet.id(), 0.0),
                                        0,
                                        0,
                                        tablet.movable(),
                                        Optional.empty()))
                                .toList()))
                .toList();
        return Balance.plan(byLoad, 1, member -> 1, member -> !closed.contains(member), Relief.fitting(servers));
    }

    private static boolean isTaker(Server server, List<Step> steps) {
        return steps.stream().anyMatch(step -> step.to().equals(server.member()));
    }

    private static List<Server> random(RandomGenerator random, int mostBytes) {
        int number = 0;
        List<Server> servers = new ArrayList<>();
        int count = random.nextInt(1, 8);
        for (int i = 1; i <= count; i++) {
            List<Held> tablets = new ArrayList<>();
            for (int left = random.nextInt(30); left > 0; left--) {
                tablets.add(
                        new Held(id(number++), random.nextInt(mostBytes), random.nextInt(3), random.nextInt(4) > 0));
            }
            servers.add(server(i, random.nextInt(600), tablets.toArray(Held[]::new)));
        }
        return servers;
    }

    private static List<Server> after(List<Server> servers, List<Step> steps) {
        Map<TabletId, Member> targets = steps.stream().collect(Collectors.toMap(Step::tablet, Step::to));
        Map<TabletId, Held> all = servers.stream()
                .flatMap(server -> server.tablets().stream())
                .collect(Collectors.toMap(Held::id, Function.identity()));
        return IntStream.range(0, servers.size())
                .mapToObj(i -> {
                    Server server = servers.get(i);
                    List<Held> tablets = new ArrayList<>(server.tablets());
                    tablets.removeIf(tablet -> targets.containsKey(tablet.id()));
                    targets.forEach((id, to) -> {
                        if (to.equals(server.member())) {
                            tablets.add(all.get(id));
                        }
                    });
                    long others = server.takenBytes()
                            - server.tablets().stream().mapToLong(Held::bytes).sum();
                    return server(i + 1, others, tablets.toArray(Held[]::new));
                })
                .toList();
    }
}
