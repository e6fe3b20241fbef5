package bt.doctor;

import java.util.List;
import java.util.Optional;

/** 2, from the servers' side: none serves a tablet that METADATA does not know. */
final class Strays implements Invariant<StrayClaim> {
    @Override
    public boolean mayPass() {
        return true;
    }

    @Override
    public List<Finding> check(StrayClaim claim) {
        if (claim.row().isPresent()) {
            return List.of();
        }
        Place place = new Place(claim.table(), Optional.empty(), claim.server());
        return List.of(new Finding(
                Rule.CUSTODY,
                place,
                "the server of epoch " + claim.epoch() + " serves " + claim.id() + ", of which METADATA has no row"));
    }
}
