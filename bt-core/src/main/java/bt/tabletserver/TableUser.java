package bt.tabletserver;

import bt.base.RejectedException;
import bt.model.FamilySchema;
import bt.model.Filter;
import bt.model.FilterUse;
import bt.model.Right;
import bt.model.TableRights;
import bt.model.TableSchema;
import bt.protocol.Condition;
import bt.protocol.Write;
import bt.tablet.Shown;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** One user at one version of a table's schema, with the rights that its lists give. A family that the table has not needs none. */
record TableUser(String user, TableSchema schema, TableRights rights) {
    /**
     * The families that these filters are shown: those that may be read, and, where a script is among the filters, may have
     * scripts run over them. What nobody names is left out in silence, for "some of our applications are only allowed to
     * view some of the data" (section 2 of the paper). REJECTED where a filter names another, or nothing is left.
     */
    Shown shown(List<Filter> filters) throws RejectedException {
        if (rights.allow(Right.READ) && rights.allow(Right.SCRIPT)) {
            return Shown.ALL;
        }
        List<FilterUse> uses = filters.stream().map(FilterUse::of).toList();
        boolean runsScript = uses.stream().anyMatch(FilterUse::runsScript);
        for (FilterUse use : uses) {
            for (String family : use.families()) {
                need(Right.READ, family);
                if (runsScript) {
                    need(Right.SCRIPT, family);
                }
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

    /** What the condition of a write is shown. */
    Shown shown(Write write) throws RejectedException {
        Optional<Condition> condition = write.condition();
        if (condition.isPresent() && condition.get() instanceof Condition.Passes passes) {
            return shown(List.of(passes.filter()));
        }
        if (condition.isPresent() && condition.get() instanceof Condition.Shows shows) {
            return shown(shows.seen().stream().map(Condition.Seen::filter).toList());
        }
        return Shown.ALL;
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
        return new RejectedException((family.isEmpty() ? "table " : "family ") + thing + ": user " + user
                + " has not the right " + right.text() + ": an administrator of the table gives it with bt grant "
                + user
                + " " + right.text() + " " + thing);
    }
}
