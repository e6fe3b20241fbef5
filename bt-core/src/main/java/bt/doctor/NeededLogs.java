package bt.doctor;

import bt.doctor.TabletFacts.LogSight;
import java.util.ArrayList;
import java.util.List;

/** 5: the log of the server that a tablet is given to is there, and those of dead ones that it still needs. */
final class NeededLogs implements Invariant<TabletFacts> {
    @Override
    public List<Finding> check(TabletFacts tablet) {
        List<Finding> found = new ArrayList<>();
        for (LogSight log : tablet.logs()) {
            if (!log.isThere()) {
                found.add(tablet.finding(Rule.NEEDED_LOGS, log.directory(), log.failure()));
            }
        }
        return found;
    }
}
