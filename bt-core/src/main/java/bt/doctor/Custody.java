package bt.doctor;

import bt.doctor.TabletFacts.Claim;
import bt.record.Phase;
import bt.record.TabletLocation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** 2: a tablet has one server at most, that one lives, and it says the same. */
final class Custody implements Invariant<TabletFacts> {
    @Override
    public boolean mayPass() {
        return true;
    }

    @Override
    public List<Finding> check(TabletFacts tablet) {
        List<Finding> found = new ArrayList<>();
        TabletLocation location = tablet.row().location();
        for (Claim claim : tablet.claims()) {
            boolean named = location.getPhase() != Phase.UNASSIGNED && tablet.isOfNamed(claim);
            if (claim.phase() == Phase.SERVING && !named) {
                found.add(tablet.finding(
                        Rule.CUSTODY,
                        claim.server(),
                        "the server of epoch " + claim.epoch() + " serves it, by METADATA it is " + text(location)));
            }
        }
        if (location.getPhase() != Phase.UNASSIGNED) {
            agrees(tablet, location).ifPresent(fact -> found.add(tablet.finding(Rule.CUSTODY, fact)));
        }
        return found;
    }

    private static Optional<String> agrees(TabletFacts tablet, TabletLocation location) {
        if (tablet.named().isEmpty()) {
            return Optional.of("METADATA has it " + text(location) + ", which has no server file");
        }
        if (!tablet.named().get().hasAnswered()) {
            // That the server is silent is told once, with the servers.
            return Optional.empty();
        }
        Optional<Claim> claim = tablet.ofNamed();
        if (claim.isEmpty()) {
            return Optional.of("METADATA has it " + text(location) + ", which does not have it");
        }
        return location.getPhase() == Phase.SERVING && claim.get().phase() != Phase.SERVING
                ? Optional.of("METADATA has it " + text(location) + ", which says "
                        + claim.get().phase()
                        + claim.get().failure().map(why -> ": " + why).orElse(""))
                : Optional.empty();
    }

    private static String text(TabletLocation location) {
        return location.getPhase() == Phase.UNASSIGNED
                ? "nobody's"
                : location.getPhase() + " at " + location.getServer() + " of epoch " + location.getEpoch();
    }
}
