package bt.master;

import bt.record.ClusterStatus;
import bt.record.ServerLine;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a master says of its cluster. */
record ClusterReport(long masterEpoch, String instance) {
    ClusterStatus of(Sight sight, int unsettled, List<String> known) {
        List<ServerLine> servers = new ArrayList<>();
        List<String> problems = new ArrayList<>(known);
        if (sight.living().isEmpty()) {
            problems.add("no tablet server is alive");
        }
        for (Member member : sight.living()) {
            Poll.Holdings holdings = sight.answered().get(member);
            // Of who is silent what it had: to say that it has nothing would be to say that it may go.
            Optional<Poll.Holdings> heard = Optional.ofNullable(sight.heard().get(member));
            servers.add(new ServerLine(
                    member.id(),
                    member.address().toString(),
                    member.epoch(),
                    holdings != null,
                    heard.map(Poll.Holdings::count).orElse(0),
                    heard.map(told -> told.status().getPid()).orElse(0),
                    sight.draining().contains(member.id()),
                    holdings == null ? 0 : holdings.status().getLockServiceOutageMillis(),
                    holdings == null ? List.of() : holdings.status().getCaches(),
                    hindrance(member, sight).orElse(null)));
            hindrance(member, sight)
                    .ifPresent(why -> problems.add(
                            member.id() + " drains, and its tablets stay: " + why + ": " + Sight.TO_MAKE_ROOM));
            if (holdings == null) {
                problems.add(member.id() + " holds its lock but does not answer");
            } else {
                holdings.status().getProblems().forEach(problem -> problems.add(member.id() + ": " + problem));
            }
        }
        return new ClusterStatus(masterEpoch, instance, unsettled, servers, problems);
    }

    /** Of one that drains and has some. */
    private static Optional<String> hindrance(Member member, Sight sight) {
        boolean hasSome = Optional.ofNullable(sight.heard().get(member))
                .filter(told -> told.count() > 0)
                .isPresent();
        return hasSome && sight.draining().contains(member.id()) ? sight.drainHindrance() : Optional.empty();
    }
}
