package bt.doctor;

import java.util.ArrayList;
import java.util.List;

/** One place where something is broken: which invariant, where, and what the doctor saw. */
public record Finding(Rule rule, Place place, String fact) {
    /** One for each invariant and place. */
    static List<Finding> byPlace(List<Finding> findings) {
        List<Finding> merged = new ArrayList<>();
        for (Finding finding : findings) {
            int same = 0;
            while (same < merged.size() && !merged.get(same).isOfPlaceOf(finding)) {
                same++;
            }
            if (same == merged.size()) {
                merged.add(finding);
            } else {
                String both = merged.get(same).fact + "; " + finding.fact;
                merged.set(same, new Finding(finding.rule, finding.place, both));
            }
        }
        return merged;
    }

    /** The same thing broken in the same way, though the tablet may have other rows by now. */
    boolean isStill(Finding before) {
        return rule == before.rule && place.isStill(before.place);
    }

    private boolean isOfPlaceOf(Finding that) {
        return rule == that.rule && place.equals(that.place);
    }

    /** In one line: invariant, place, fact. */
    @Override
    public String toString() {
        String where = place.toString();
        return rule.number() + "\t" + (where.isEmpty() ? "cluster" : where) + "\t" + fact;
    }
}
