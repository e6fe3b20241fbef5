package bt.master;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.master.Balance.Server;
import bt.master.Balance.Step;
import bt.master.Balance.Weighed;
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
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BalanceTest {
    private static final double MEGABYTE = 1 << 20;

    private static Member member(int number) {
        return new Member("server-" + number, new Address("host-" + number, 1), number, "");
    }

    private static Weighed tablet(int number, double megabytes) {
        return new Weighed(id(number), megabytes * MEGABYTE, 0, 0, true, Optional.empty());
    }

    private static TabletId id(int number) {
        return new TabletId(4, Optional.of(Bytes.utf8("%05d".formatted(number))));
    }

    private static List<Server> random(RandomGenerator random) {
        List<Server> servers = new ArrayList<>();
        int number = 0;
        for (int server = 0; server < random.nextInt(1, 8); server++) {
            List<Weighed> tablets = new ArrayList<>();
            for (int i = random.nextInt(40); i > 0; i--) {
                tablets.add(new Weighed(
                        id(number++),
                        random.nextInt(4) * 100 * MEGABYTE * random.nextDouble(),
                        random.nextInt(10) == 0 ? random.nextDouble() * 5_000 : 0,
                        random.nextDouble() * 64 * MEGABYTE,
                        random.nextInt(4) > 0,
                        random.nextBoolean() ? Optional.of("host-" + random.nextInt(8)) : Optional.empty()));
            }
            servers.add(new Server(member(server), tablets));
        }
        return servers;
    }

    private static List<Server> after(List<Server> servers, Step step) {
        Weighed moved = servers.stream()
                .flatMap(server -> server.tablets().stream())
                .filter(tablet -> tablet.id().equals(step.tablet()))
                .findFirst()
                .orElseThrow();
        List<Server> next = new ArrayList<>();
        for (Server server : servers) {
            List<Weighed> tablets = new ArrayList<>(server.tablets());
            if (server.member().equals(step.from())) {
                assertThat(tablets.remove(moved)).isTrue();
            } else if (server.member().equals(step.to())) {
                tablets.add(moved);
            }
            next.add(new Server(server.member(), tablets));
        }
        return next;
    }

    private static double squares(List<Server> servers) {
        return servers.stream()
                .mapToDouble(server -> Math.pow(Balance.load(server, servers), 2))
                .sum();
    }

    @SeededTest(runs = 200)
    void theMovesComeToAnEndAndNoneIsTakenBack(RandomGenerator random) {
        List<Server> servers = random(random);
        Set<TabletId> pinned = new HashSet<>();
        servers.forEach(server -> server.tablets().stream()
                .filter(tablet -> !tablet.movable())
                .forEach(tablet -> pinned.add(tablet.id())));
        double before = squares(servers);
        int steps = 0;
        for (List<Step> plan = Balance.plan(servers, 1); !plan.isEmpty(); plan = Balance.plan(servers, 1)) {
            assertThat(pinned).doesNotContain(plan.get(0).tablet());
            servers = after(servers, plan.get(0));
            double now = squares(servers);
            assertThat(now).isLessThan(before);
            before = now;
            steps++;
            assertThat(steps).isLessThan(2_000);
        }
    }

    @SeededTest(runs = 50)
    void severalMovesAreThoseThatWouldComeOneByOne(RandomGenerator random) {
        List<Server> servers = random(random);
        List<Server> now = servers;
        List<Step> single = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            List<Step> next = Balance.plan(now, 1);
            if (!next.isEmpty()) {
                single.add(next.get(0));
                now = after(now, next.get(0));
            }
        }
        assertThat(Balance.plan(servers, 5)).isEqualTo(single);
    }

    @SeededTest(runs = 50)
    void noServerTakesPartInMoreMovesThanItHasRoomFor(RandomGenerator random) {
        List<Server> servers = random(random);
        Map<Member, Integer> room = new HashMap<>();
        servers.forEach(server -> room.put(server.member(), random.nextInt(3)));
        List<Step> steps =
                Balance.plan(servers, 100, member -> room.getOrDefault(member, 0), member -> true, BalanceTest::any);
        for (Member member : room.keySet()) {
            assertThat(steps)
                    .filteredOn(step -> step.from().equals(member) || step.to().equals(member))
                    .hasSizeLessThanOrEqualTo(room.getOrDefault(member, 0));
        }
        double before = squares(servers);
        for (Step step : steps) {
            servers = after(servers, step);
            double now = squares(servers);
            assertThat(now).isLessThan(before);
            before = now;
        }
    }

    @SeededTest(runs = 50)
    void manyTabletsThatMayMoveEndUpEvenlySpread(RandomGenerator random) {
        int servers = random.nextInt(2, 6);
        List<Server> all = new ArrayList<>();
        for (int server = 0; server < servers; server++) {
            List<Weighed> tablets = new ArrayList<>();
            if (server == 0) {
                IntStream.range(0, 200).forEach(i -> tablets.add(tablet(i, 50 + random.nextInt(100))));
            }
            all.add(new Server(member(server), tablets));
        }
        List<Server> now = all;
        for (Step step : Balance.plan(all, 1_000)) {
            now = after(now, step);
        }
        List<Server> end = now;
        double most = end.stream()
                .mapToDouble(server -> Balance.load(server, end))
                .max()
                .orElseThrow();
        double least = end.stream()
                .mapToDouble(server -> Balance.load(server, end))
                .min()
                .orElseThrow();
        assertThat(most - least).isLessThanOrEqualTo(Balance.TOLERANCE);
    }

    @Test
    void threeTabletsOnTwoServersStay() {
        List<Server> servers = List.of(
                new Server(member(1), List.of(tablet(1, 100), tablet(2, 100))),
                new Server(member(2), List.of(tablet(3, 100))));
        assertThat(Balance.plan(servers, 10)).isEmpty();
    }

    /** Its memory may have no room for more, and it have least to do all the same. */
    @Test
    void aServerThatTakesNoneKeepsNoOtherFromTakingAndMayGive() {
        List<Server> servers = List.of(
                new Server(member(1), List.of()),
                new Server(member(2), List.of(tablet(1, 100))),
                new Server(member(3), List.of(tablet(2, 100), tablet(3, 100), tablet(4, 100), tablet(5, 100))));
        assertThat(Balance.plan(servers, 1, member -> 2, member -> !member.equals(member(1)), BalanceTest::any))
                .singleElement()
                .satisfies(step -> assertThat(step.to()).isEqualTo(member(2)));
        assertThat(Balance.plan(servers, 1, member -> 2, member -> !member.equals(member(3)), BalanceTest::any))
                .singleElement()
                .satisfies(step -> assertThat(step.from()).isEqualTo(member(3)));
        assertThat(Balance.plan(servers, 1, member -> 2, member -> false, BalanceTest::any))
                .isEmpty();
    }

    @Test
    void aTabletGoesWhereItsBlocksAreBeforeOneThatFitsAsWell() {
        Weighed home = new Weighed(id(4), 100 * MEGABYTE, 0, 0, true, Optional.of("host-2"));
        Weighed stays = new Weighed(id(1), 100 * MEGABYTE, 0, 0, true, Optional.of("host-1"));
        List<Server> servers = List.of(
                new Server(member(1), List.of(stays, tablet(2, 100), tablet(3, 100), home)),
                new Server(member(2), List.of()));
        assertThat(Balance.plan(servers, 1)).containsExactly(new Step(id(4), member(1), member(2)));
    }

    @Test
    void aServerThatIsAskedForMuchGivesTabletsAway() {
        Weighed busy = new Weighed(id(1), 0, 2_000, 0, true, Optional.empty());
        Weighed alsoBusy = new Weighed(id(2), 0, 2_000, 0, true, Optional.empty());
        List<Server> servers = List.of(
                new Server(member(1), List.of(busy, alsoBusy)),
                new Server(member(2), List.of(tablet(3, 1), tablet(4, 1))));
        assertThat(Balance.plan(servers, 1)).singleElement().satisfies(step -> assertThat(step.from())
                .isEqualTo(member(1)));
    }

    @Test
    void aServerWhoseMemoryIsFullGivesTabletsAway() {
        List<Server> servers = List.of(
                new Server(member(1), List.of(written(1, 512), written(2, 512), written(3, 512))),
                new Server(member(2), List.of(written(4, 0), written(5, 0), written(6, 0))));
        assertThat(Balance.plan(servers, 1)).singleElement().satisfies(step -> assertThat(step.from())
                .isEqualTo(member(1)));
    }

    private static Weighed written(int number, double megabytes) {
        return new Weighed(id(number), 0, 0, megabytes * MEGABYTE, true, Optional.empty());
    }

    @Test
    void whereNothingFitsTheLeastLoadedTheNextIsGivenSome() {
        List<Server> servers = List.of(
                new Server(member(1), List.of()),
                new Server(member(2), List.of(tablet(1, 100))),
                new Server(member(3), List.of(tablet(2, 100), tablet(3, 100), tablet(4, 100), tablet(5, 100))));
        assertThat(Balance.plan(servers, 1, member -> 2, member -> true, (member, tablet) -> !member.equals(member(1))))
                .singleElement()
                .satisfies(step -> assertThat(step.to()).isEqualTo(member(2)));
    }

    private static boolean any(Member member, TabletId tablet) {
        return true;
    }
}
