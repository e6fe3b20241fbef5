package bt.tabletserver;

import bt.base.RejectedException;
import bt.model.FamilySchema;
import bt.model.Filter;
import bt.model.FilterUse;
import bt.model.Right;
import bt.model.TableRights;
import bt.model.TableSchema;
import bt.tablet.Shown;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** One user at one version of a table's schema, with the rights that its lists give. A family that the table has not needs none. */
record TableUser(String user, TableSchema schema, TableRights rights) {
    /**
     * The families that a filter is shown: those that may be read, and, where it runs a script, may have scripts run over
     * them. What it does not name is left out in silence, for "some of our applications are only allowed to view some of the
     * data" (section 2 of the paper). REJECTED where it names another, or nothing is left.
     */
    Shown shown(Filter filter) throws RejectedException {
        if (rights.allow(Right.READ) && rights.allow(Right.SCRIPT)) {
            return Shown.ALL;
        }
        FilterUse use = FilterUse.of(filter);
        boolean runsScript = use.runsScript();
        for (String family : use.families()) {
            need(Right.READ, family);
            if (runsScript) {
                need(Right.SCRIPT, family);
            }
        }
        if (rights.allow(Right.READ) && !runsScript) {
            return Shown.ALL;
        }
        Set<Integer> shown = new HashSet<>();
        for (FamilySchema family : schema.families()) {
            if (rights.allow(Right.READ, family) && (!runsScript || rights.allow(Right.SCRIPT, family))) {
                shown.add(family.id());
            }
        }
        if (shown.isEmpty()) {
            boolean mayRead = schema.families().stream().anyMatch(family -> rights.allow(Right.READ, family));
            throw lacks(mayRead ? Right.SCRIPT : Right.READ, "");
        }
        return Shown.only(shown);
    }

    /** The families whose sizes the user is told: those that may be read, or are his to administer. */
    Shown weighed() {
        if (rights.allow(Right.READ) || rights.allow(Right.ADMIN)) {
            return Shown.ALL;
        }
        return Shown.only(schema.families().stream()
                .filter(family -> rights.allow(Right.READ, family) || rights.allow(Right.ADMIN, family))
                .map(FamilySchema::id)
                .collect(Collectors.toSet()));
    }

    /** REJECTED without the right in the family of that name. */
    void need(Right right, String family) throws RejectedException {
        Optional<FamilySchema> known = schema.family(family);
        if (known.isPresent()) {
            need(right, known.get());
        }
    }

    void need(Right right, FamilySchema family) throws RejectedException {
        if (!rights.allow(right, family)) {
            throw lacks(right, ":" + family.name());
        }
    }

    private RejectedException lacks(Right right, String family) {
        String thing = schema.name() + family;
        return new RejectedException(
                (family.isEmpty() ? "table " : "family ") + thing + ": user " + user + " has not the right "
                        + right.text(),
                "an administrator of the table may grant it");
    }
}
