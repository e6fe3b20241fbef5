package bt.master;

import bt.master.Balance.Step;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.record.ServerStatus;
import bt.record.TabletReport;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;

/**
 * Which tablets should leave servers whose memory for tablets is full, and which refuse writes for that, while others have much of it
 * left: pure functions. By their loads ({@link Balance}) these servers may be alike. A server gives until it is full no more, and
 * takes while it has clearly more left: so the moves come to an end, and none is taken back. Nor does the balance of loads take any back, which
 * gives nothing to a server that is nearly full while another has clearly more left, nor to any what would make it full.
 */
final class Relief {
    /** A server of whose share so much is taken is full: see {@code TabletMemory}. */
    private static final double FULL = 7.0 / 8;

    /** From so much on, loads aside, one stays as it is, while others have {@link #CLEARLY} more left. */
    private static final double NEARLY_FULL = 3.0 / 4;

    private static final double CLEARLY = 1.0 / 4;

    /** One that takes from a full server has less taken. */
    private static final double HALF = 1.0 / 2;

    /** So much less than its giver has one taken that takes, after the move too, and so much less than a full one. */
    private static final double MARGIN = 1.0 / 8;

    private Relief() {}

    /** A tablet, and what it takes of its server's heap while nobody asks anything of it. */
    record Held(TabletId id, long bytes, long requestsPerMinute, boolean movable) {}

    /** A server that takes tablets, and says how much of its heap it has for them: with those of users that it has. */
    record Server(Member member, long takenBytes, long mostBytes, List<Held> tablets) {
        double taken() {
            return (double) takenBytes / mostBytes;
        }

        private double takenWith(long moreBytes) {
            return (double) (takenBytes + moreBytes) / mostBytes;
        }

        private Server with(Held tablet) {
            List<Held> more = new ArrayList<>(tablets);
            more.add(tablet);
            return new Server(member, takenBytes + tablet.bytes(), mostBytes, more);
        }

        private Server without(Held tablet) {
            List<Held> rest = new ArrayList<>(tablets);
            rest.remove(tablet);
            return new Server(member, takenBytes - tablet.bytes(), mostBytes, rest);
        }
    }

    /** As servers tell. What moves is where it goes. */
    static List<Server> of(Sight sight, Map<TabletId, Member> moving, BiPredicate<TabletId, TabletReport> isMovable) {
        Map<Member, Long> moved = new HashMap<>();
        moving.forEach((id, target) -> sight.answered().forEach((member, said) -> {
            TabletReport report = said.tablets().get(id);
            if (report != null && !target.equals(member)) {
                moved.merge(member, -report.getHeapBytes(), Long::sum);
                moved.merge(target, report.getHeapBytes(), Long::sum);
            }
        }));
        List<Server> servers = new ArrayList<>();
        sight.answered().forEach((member, said) -> {
            ServerStatus status = said.status();
            if (status.getMostTabletHeapBytes() > 0 && !sight.draining().contains(member.id())) {
                servers.add(new Server(
                        member,
                        status.getTabletHeapBytes() + moved.getOrDefault(member, 0L),
                        status.getMostTabletHeapBytes(),
                        held(said, isMovable)));
            }
        });
        return servers;
    }

    private static List<Held> held(Poll.Holdings said, BiPredicate<TabletId, TabletReport> isMovable) {
        List<Held> held = new ArrayList<>();
        said.tablets().forEach((id, report) -> {
            if (id.tableId() != TableSchema.METADATA_ID) {
                held.add(
                        new Held(id, report.getHeapBytes(), report.getRequestsPerMinute(), isMovable.test(id, report)));
            }
        });
        return held;
    }

    /** The most useful moves, each on top of those before, at most so many, in which no server takes part more often than {@code room} says. */
    static List<Step> plan(List<Server> servers, int most, ToIntFunction<Member> room) {
        List<Server> now = new ArrayList<>(servers);
        Map<Member, Integer> left = new HashMap<>();
        servers.forEach(server -> left.put(server.member(), room.applyAsInt(server.member())));
        List<Step> steps = new ArrayList<>();
        while (steps.size() < most) {
            now.removeIf(server -> left.getOrDefault(server.member(), 0) <= 0);
            Optional<Move> next = next(now);
            if (next.isEmpty()) {
                break;
            }
            Move move = next.get();
            steps.add(
                    new Step(move.tablet().id(), move.from().member(), move.to().member()));
            now.set(now.indexOf(move.from()), move.from().without(move.tablet()));
            now.set(now.indexOf(move.to()), move.to().with(move.tablet()));
            left.merge(move.from().member(), -1, Integer::sum);
            left.merge(move.to().member(), -1, Integer::sum);
        }
        return steps;
    }

    private record Move(Held tablet, Server from, Server to) {
        boolean isWorthIt() {
            double afterwards = to.takenWith(tablet.bytes());
            return tablet.movable()
                    && tablet.bytes() > 0
                    && afterwards <= Math.min(from.takenWith(-tablet.bytes()), FULL) - MARGIN;
        }
    }

    /** Of the fullest server that has one for it, to the emptiest, the tablet that takes most, of several the one that is asked for least. */
    private static Optional<Move> next(List<Server> servers) {
        List<Server> fullest = servers.stream()
                .sorted(Comparator.comparing(Server::taken).reversed().thenComparing(server -> server.member()
                        .id()))
                .toList();
        if (fullest.isEmpty()) {
            return Optional.empty();
        }
        Server emptiest = fullest.get(fullest.size() - 1);
        if (emptiest.taken() >= HALF) {
            return Optional.empty();
        }
        return fullest.stream()
                .takeWhile(server -> server.taken() >= FULL)
                .flatMap(from -> from.tablets().stream()
                        .map(tablet -> new Move(tablet, from, emptiest))
                        .filter(Move::isWorthIt)
                        .min(Comparator.comparing((Move move) -> -move.tablet().bytes())
                                .thenComparing(move -> move.tablet().requestsPerMinute())
                                .thenComparing(move -> move.tablet().id()))
                        .stream())
                .findFirst();
    }

    /** Servers that take no tablets for the sake of loads. */
    static Set<Member> nearlyFull(List<Server> servers) {
        double least = servers.stream().mapToDouble(Server::taken).min().orElse(1);
        return servers.stream()
                .filter(server -> server.taken() >= NEARLY_FULL && server.taken() - least >= CLEARLY)
                .map(Server::member)
                .collect(Collectors.toSet());
    }

    /** Which tablets servers may take for the sake of loads: of which they would not be full, for what made them so they would give again. */
    static BiPredicate<Member, TabletId> fitting(List<Server> servers) {
        Map<Member, Server> takers = servers.stream().collect(Collectors.toMap(Server::member, server -> server));
        Map<TabletId, Long> bytes = servers.stream()
                .flatMap(server -> server.tablets().stream())
                .collect(Collectors.toMap(Held::id, Held::bytes, Math::max));
        return (member, tablet) -> Optional.ofNullable(takers.get(member))
                .map(taker -> taker.takenWith(bytes.getOrDefault(tablet, 0L)) < FULL)
                .orElse(true);
    }
}
