package bt.doctor;

import bt.doctor.TabletFacts.LogSight;
import java.util.ArrayList;
import java.util.List;

/** 5 too: a living server can write the log that a tablet needs; nobody can write that of a dead one. */
final class LogHolds implements Invariant<TabletFacts> {
    /** A segment is closed before the next is open for a moment; a dead server's log is closed by the master in seconds. */
    @Override
    public boolean mayPass() {
        return true;
    }

    @Override
    public List<Finding> check(TabletFacts tablet) {
        List<Finding> found = new ArrayList<>();
        for (LogSight log : tablet.logs()) {
            if (!log.isHeldWell()) {
                found.add(tablet.finding(Rule.NEEDED_LOGS, log.directory(), log.hold()));
            }
        }
        return found;
    }
}
