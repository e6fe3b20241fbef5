package bt.master;

import bt.model.TabletId;
import bt.record.TabletReport;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;

/**
 * Which tablets should move so that servers have about the same to do: a pure function. A server's load is the sum of its
 * tablets', a tablet's the mean of its shares in tablets, bytes, requests and memory, so that loads are about 1. Only what
 * makes the most and the least loaded clearly more alike is worth a move, and each makes the sum of the squares of the
 * loads smaller: so the moves come to an end, and none is taken back.
 */
final class Balance {
    /** Servers whose loads differ by less are left as they are. */
    static final double TOLERANCE = 0.2;

    /** What a move must leave of the difference that it turns round, at least. */
    private static final double MARGIN = 0.05;

    /** How much worse a fit may be, for a tablet that comes to its blocks or does not leave them. */
    private static final double LOCALITY = 0.2;

    private static final double TABLETS_SHARE = 0.3;
    private static final double BYTES_SHARE = 0.3;
    private static final double REQUESTS_SHARE = 0.3;
    private static final double MEMORY_SHARE = 0.1;

    /** A server with less has nothing to do of that kind, and neither have the others. */
    private static final double LEAST_BYTES = 64 << 20;

    private static final double LEAST_REQUESTS = 100;
    private static final double LEAST_MEMORY = 16 << 20;

    private Balance() {}

    /** A tablet as it is now. {@code home} is the host that has its blocks; empty where nobody knows. */
    record Weighed(
            TabletId id,
            double bytes,
            double requestsPerSecond,
            double memoryBytes,
            boolean movable,
            Optional<String> home) {
        private static final double SECONDS_PER_MINUTE = 60;

        /** As its server tells. */
        static Weighed of(TabletId id, TabletReport report, boolean movable, Optional<String> home) {
            return new Weighed(
                    id,
                    report.getFileBytes(),
                    report.getRequestsPerMinute() / SECONDS_PER_MINUTE,
                    report.getMemtableBytes(),
                    movable,
                    home);
        }
    }

    /** A server that takes tablets, with those that it has, or will have when the moves under way have ended. */
    record Server(Member member, List<Weighed> tablets) {}

    record Step(TabletId tablet, Member from, Member to) {}

    /** The most useful moves, each on top of those before, at most so many. */
    static List<Step> plan(List<Server> servers, int most) {
        return plan(servers, most, member -> most, member -> true, (member, tablet) -> true);
    }

    /**
     * The same, where no server takes part in more of them than {@code room} says, and those alone that {@code takes} names take any,
     * of the tablets that {@code fits} them.
     */
    static List<Step> plan(
            List<Server> servers,
            int most,
            ToIntFunction<Member> room,
            Predicate<Member> takes,
            BiPredicate<Member, TabletId> fits) {
        Map<Member, List<Weighed>> tablets = new HashMap<>();
        Map<Member, Double> loads = new HashMap<>();
        Map<Member, Integer> rooms = new HashMap<>();
        Units units = Units.of(servers);
        for (Server server : servers) {
            tablets.put(server.member(), new ArrayList<>(server.tablets()));
            loads.put(server.member(), units.sum(server.tablets()));
            rooms.put(server.member(), room.applyAsInt(server.member()));
        }
        List<Step> steps = new ArrayList<>();
        while (steps.size() < most) {
            loads.keySet().removeIf(member -> rooms.getOrDefault(member, 0) <= 0);
            Optional<Step> next = next(tablets, loads, units, takes, fits);
            if (next.isEmpty()) {
                break;
            }
            Step step = next.get();
            steps.add(step);
            List<Weighed> from = tablets.getOrDefault(step.from(), List.of());
            Weighed moved = from.stream()
                    .filter(tablet -> tablet.id().equals(step.tablet()))
                    .findFirst()
                    .orElseThrow();
            from.remove(moved);
            tablets.getOrDefault(step.to(), List.of()).add(moved);
            for (Member changed : List.of(step.from(), step.to())) {
                loads.put(changed, units.sum(tablets.getOrDefault(changed, List.of())));
                rooms.merge(changed, -1, Integer::sum);
            }
        }
        return steps;
    }

    /** What a server has to do, where all have 1 on average. */
    static double load(Server server, List<Server> all) {
        return Units.of(all).sum(server.tablets());
    }

    /** Of some of these servers the one that has least to do; empty where there is none. */
    static Optional<Member> leastLoaded(List<Server> servers, Predicate<Member> some) {
        Units units = Units.of(servers);
        return servers.stream()
                .filter(server -> some.test(server.member()))
                .min(Comparator.comparing((Server server) -> units.sum(server.tablets()))
                        .thenComparing(server -> server.member().id()))
                .map(Server::member);
    }

    /** Among those servers of which there is a load. */
    private static Optional<Step> next(
            Map<Member, List<Weighed>> tablets,
            Map<Member, Double> loads,
            Units units,
            Predicate<Member> takes,
            BiPredicate<Member, TabletId> fits) {
        Comparator<Member> byLoad = Comparator.comparing((Member member) -> loads.getOrDefault(member, 0.0))
                .thenComparing(Member::id);
        List<Member> ascending = loads.keySet().stream().sorted(byLoad).toList();
        // Where all fits, what would do for a smaller difference would do for that of the first of them.
        return ascending.stream()
                .filter(takes)
                .flatMap(least -> next(least, ascending, tablets, loads, units, fits).stream())
                .findFirst();
    }

    /** To this one. */
    private static Optional<Step> next(
            Member least,
            List<Member> ascending,
            Map<Member, List<Weighed>> tablets,
            Map<Member, Double> loads,
            Units units,
            BiPredicate<Member, TabletId> fits) {
        for (int i = ascending.size() - 1; i > 0; i--) {
            Member most = ascending.get(i);
            double difference = loads.getOrDefault(most, 0.0) - loads.getOrDefault(least, 0.0);
            if (difference <= TOLERANCE) {
                return Optional.empty();
            }
            Optional<Weighed> best = tablets.getOrDefault(most, List.of()).stream()
                    .filter(Weighed::movable)
                    .filter(tablet -> units.of(tablet) > 0 && units.of(tablet) <= difference - MARGIN)
                    .filter(tablet -> fits.test(least, tablet.id()))
                    .min(Comparator.comparing(
                                    (Weighed tablet) -> fit(tablet, units.of(tablet), difference, most, least))
                            .thenComparing(Weighed::id));
            if (best.isPresent()) {
                return Optional.of(new Step(best.get().id(), most, least));
            }
        }
        return Optional.empty();
    }

    /** The difference that is left, and what it is worth that the tablet is where its blocks are. */
    private static double fit(Weighed tablet, double load, double difference, Member from, Member to) {
        double fit = Math.abs(difference - 2 * load);
        String fromHost = from.address().host();
        String toHost = to.address().host();
        if (tablet.home().isEmpty() || fromHost.equals(toHost)) {
            return fit;
        }
        String home = tablet.home().get();
        return fit + (home.equals(fromHost) ? LOCALITY : 0) - (home.equals(toHost) ? LOCALITY : 0);
    }

    /** What counts as 1 of each kind: a server's share of all there is. */
    private record Units(double tablets, double bytes, double requests, double memory) {
        /** Loads are about 1, whatever there is nothing of. */
        static Units of(List<Server> servers) {
            Units shares = shares(servers);
            double mean = servers.stream()
                    .mapToDouble(server -> shares.sum(server.tablets()))
                    .average()
                    .orElse(0);
            double scale = mean == 0 ? 1 : mean;
            return new Units(
                    shares.tablets * scale, shares.bytes * scale, shares.requests * scale, shares.memory * scale);
        }

        private static Units shares(List<Server> servers) {
            double tablets = 0;
            double bytes = 0;
            double requests = 0;
            double memory = 0;
            for (Server server : servers) {
                for (Weighed tablet : server.tablets()) {
                    tablets++;
                    bytes += tablet.bytes();
                    requests += tablet.requestsPerSecond();
                    memory += tablet.memoryBytes();
                }
            }
            int count = Math.max(1, servers.size());
            return new Units(
                    Math.max(1, tablets / count),
                    Math.max(LEAST_BYTES, bytes / count),
                    Math.max(LEAST_REQUESTS, requests / count),
                    Math.max(LEAST_MEMORY, memory / count));
        }

        double of(Weighed tablet) {
            return TABLETS_SHARE / tablets
                    + BYTES_SHARE * tablet.bytes() / bytes
                    + REQUESTS_SHARE * tablet.requestsPerSecond() / requests
                    + MEMORY_SHARE * tablet.memoryBytes() / memory;
        }

        double sum(List<Weighed> held) {
            return held.stream().mapToDouble(this::of).sum();
        }
    }
}
