package bt.master;

import bt.model.TabletId;
import bt.record.ClusterStatus;
import bt.record.Phase;
import bt.record.ServerLine;
import bt.record.TabletReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

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
            servers.add(new ServerLine(
                    member.id(),
                    member.address().toString(),
                    member.epoch(),
                    holdings != null,
                    holdings == null ? 0 : holdings.tablets().size(),
                    holdings == null ? 0 : holdings.status().getPid(),
                    sight.draining().contains(member.id()),
                    holdings == null ? 0 : holdings.status().getLockServiceOutageMillis(),
                    holdings == null ? List.of() : holdings.status().getCaches()));
            if (holdings == null) {
                problems.add(member.id() + " holds its lock but does not answer");
            } else {
                failures(holdings, sight, problems);
            }
        }
        return new ClusterStatus(masterEpoch, instance, unsettled, servers, problems);
    }

    /** A server tells of a load that failed until it is asked for the tablet again; meanwhile another may have it. */
    private static void failures(Poll.Holdings holdings, Sight sight, List<String> problems) {
        for (Map.Entry<TabletId, TabletReport> entry : holdings.tablets().entrySet()) {
            if (entry.getValue().getFailure() != null && !isServed(entry.getKey(), sight)) {
                problems.add(entry.getKey() + " is offline: " + entry.getValue().getFailure());
            }
        }
    }

    private static boolean isServed(TabletId tablet, Sight sight) {
        return sight.answered().keySet().stream()
                .flatMap(member -> sight.report(member, tablet).stream())
                .anyMatch(report -> report.getPhase() == Phase.SERVING);
    }
}
