package bt.doctor;

import bt.doctor.TabletFacts.Claim;
import bt.record.Intent;
import bt.record.Phase;
import bt.record.TablePhase;
import bt.record.TabletState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** 9: no tablet waits for long to be served, to be rid of logs that it was recovered from, or for a change's second half. */
final class Progress implements Invariant<TabletFacts> {
    private final long stuckMicros;

    Progress(long stuckMillis) {
        this.stuckMicros = stuckMillis * 1_000;
    }

    /** A cluster that has just been started finds rows that nobody has changed for as long as it was down. */
    @Override
    public boolean mayPass() {
        return true;
    }

    @Override
    public List<Finding> check(TabletFacts tablet) {
        List<Finding> found = new ArrayList<>();
        TabletState state = tablet.row().state();
        if (tablet.isWanted()) {
            if (state.getOffline() != null) {
                found.add(tablet.finding(Rule.PROGRESS, "stays offline: " + state.getOffline()));
            }
            // The server may have been asked to give it up since, and tell of it no more.
            Optional<String> failure =
                    tablet.row().damage().or(() -> tablet.ofNamed().flatMap(Claim::failure));
            failure.ifPresent(why -> found.add(
                    tablet.finding(Rule.PROGRESS, tablet.row().location().getServer() + " cannot load it: " + why)));
        }
        long still = tablet.times().nowMicros() - tablet.times().changedMicros();
        if (still > stuckMicros && tablet.times().changedMicros() > 0) {
            waitsFor(tablet)
                    .ifPresent(what -> found.add(tablet.finding(
                            Rule.PROGRESS, what + ", and nothing has changed for " + still / 1_000_000 + " s")));
        }
        return found;
    }

    private Optional<String> waitsFor(TabletFacts tablet) {
        TabletState state = tablet.row().state();
        if (tablet.table().isEmpty() && !tablet.isOfMetadata()) {
            return Optional.of("it is of a table that does not exist, or whose file is damaged");
        }
        if (tablet.isWanted() && tablet.row().location().getPhase() != Phase.SERVING) {
            return Optional.of("it is " + tablet.row().location().getPhase());
        }
        if (isDroppedSince(tablet, stuckMicros) && tablet.row().location().getPhase() != Phase.UNASSIGNED) {
            return Optional.of("its table is dropped, it is "
                    + tablet.row().location().getPhase() + " at "
                    + tablet.row().location().getServer());
        }
        if (tablet.isWanted() && !state.getLogs().isEmpty()) {
            return Optional.of("it is not recovered from the logs of " + state.getLogs());
        }
        for (Intent intent : state.getIntents()) {
            // One that names no other row is a mark on this one, and waits for nothing.
            if (intent.getRow().hasRemaining()) {
                return Optional.of("the second half of a " + intent.getKind() + " is still to be done");
            }
        }
        return Optional.empty();
    }

    private static boolean isDroppedSince(TabletFacts tablet, long micros) {
        long latest = tablet.times().nowMicros() - micros;
        return tablet.table()
                .filter(table -> table.getPhase() == TablePhase.DROPPED && table.getDroppedMicros() < latest)
                .isPresent();
    }
}
