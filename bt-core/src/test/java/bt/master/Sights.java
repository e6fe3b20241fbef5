package bt.master;

import bt.record.ServerStatus;
import bt.record.TabletReport;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What a master sees where every server that lives has answered. */
final class Sights {
    private Sights() {}

    /** Servers in this order, each with what it says of its tablets. */
    static Sight of(Map<Member, List<TabletReport>> reports) {
        Map<Member, Poll.Holdings> answered = new LinkedHashMap<>();
        reports.forEach((server, tablets) -> answered.put(
                server,
                Poll.Holdings.of(ServerStatus.newBuilder()
                        .setServer(server.id())
                        .setEpoch(server.epoch())
                        .setLockHeld(true)
                        .setPid(1)
                        .setTablets(tablets)
                        .build())));
        return new Sight(List.copyOf(reports.keySet()), List.of(), answered, Set.of());
    }
}
