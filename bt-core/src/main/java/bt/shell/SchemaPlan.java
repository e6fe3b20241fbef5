package bt.shell;

import bt.base.MistakeException;
import bt.model.AccessList;
import bt.model.FamilySchema;
import bt.model.GcRule;
import bt.model.LocalityGroup;
import bt.model.Quotas;
import bt.model.SchemaChange;
import bt.model.TableAccess;
import bt.model.TableSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What is to be done so that a table has the schema wanted: a pure function of what it has and that. */
record SchemaPlan(List<Step> steps) {
    SchemaPlan {
        steps = List.copyOf(steps);
    }

    /** One line of it; does it lose cells? */
    record Step(String text, boolean drops) {}

    /** What becomes of a table, or of none yet. */
    static SchemaPlan of(Optional<TableSchema> present, TableSchema wanted) {
        List<Step> steps = new ArrayList<>();
        if (present.isEmpty()) {
            steps.add(plain("create table " + wanted.name()));
        }
        // Compared with an empty draft, a table that is not there yet has all its steps.
        TableSchema from =
                present.orElseGet(() -> TableSchema.draft(wanted.name()).build());
        groups(from, wanted, steps);
        families(from, wanted, steps);
        droppedGroups(from, wanted, steps);
        if (from.durability() != wanted.durability()) {
            steps.add(plain("durability: " + SchemaFile.text(from.durability()) + " -> "
                    + SchemaFile.text(wanted.durability())));
        }
        if (!from.quotas().equals(wanted.quotas())) {
            steps.add(plain("quotas: " + text(from.quotas()) + " -> " + text(wanted.quotas())));
        }
        rights(from, wanted, steps);
        return new SchemaPlan(steps);
    }

    boolean isEmpty() {
        return steps.isEmpty();
    }

    boolean drops() {
        return steps.stream().anyMatch(Step::drops);
    }

    /**
     * The table's next schema. IllegalArgumentException where somebody has changed the table since the plan was shown:
     * nobody has seen what would be done now.
     */
    TableSchema apply(TableSchema now, TableSchema wanted) {
        if (!of(Optional.of(now), wanted).equals(this)) {
            throw new MistakeException(
                    "table " + now.name() + " was changed after the plan was made, so nothing is done",
                    "look at a new plan");
        }
        SchemaChange change = now.change();
        wanted.groups().forEach(change::group);
        for (FamilySchema family : now.families()) {
            if (wanted.family(family.name()).isEmpty()) {
                change.dropFamily(family.name());
            }
        }
        for (FamilySchema family : wanted.families()) {
            if (now.family(family.name()).isEmpty()) {
                change.addFamily(family.name(), family.localityGroup(), family.garbage());
            }
            change.moveFamily(family.name(), family.localityGroup())
                    .garbage(family.name(), family.garbage())
                    .purge(family.name(), family.purgeMicros())
                    .timestamps(family.name(), family.timestamps());
        }
        for (LocalityGroup group : now.groups()) {
            if (!names(wanted).contains(group.name())) {
                change.dropGroup(group.name());
            }
        }
        TableSchema changed = change.durability(wanted.durability())
                .quotas(before -> wanted.quotas())
                .build();
        return changed.with(RightsFields.of(wanted, changed).or(changed::access));
    }

    /** A file without lists says nothing of them. */
    private static void rights(TableSchema from, TableSchema wanted, List<Step> steps) {
        if (wanted.access().isEmpty()) {
            return;
        }
        Optional<AccessList> before = from.access().map(TableAccess::table);
        Optional<AccessList> after = wanted.access().map(TableAccess::table);
        if (!before.equals(after)) {
            steps.add(plain("rights of the table: " + RightsFields.text(before) + " -> " + RightsFields.text(after)));
        }
        for (FamilySchema family : wanted.families()) {
            AccessList had = from.family(family.name())
                    .flatMap(same -> from.access().map(lists -> lists.family(same.id())))
                    .orElse(AccessList.NOBODY);
            AccessList has = wanted.access().get().family(family.id());
            if (!had.equals(has)) {
                steps.add(plain("rights of family " + family.name() + ": " + RightsFields.text(Optional.of(had))
                        + " -> " + RightsFields.text(Optional.of(has))));
            }
        }
    }

    private static void groups(TableSchema from, TableSchema wanted, List<Step> steps) {
        for (LocalityGroup group : wanted.groups()) {
            if (!names(from).contains(group.name())) {
                steps.add(plain("add group " + group.name() + ": " + GroupText.of(group)));
            } else if (!from.group(group.name()).equals(group)) {
                steps.add(plain("change group " + group.name() + ": " + GroupText.of(from.group(group.name())) + " -> "
                        + GroupText.of(group)));
            }
        }
    }

    private static void droppedGroups(TableSchema from, TableSchema wanted, List<Step> steps) {
        for (LocalityGroup group : from.groups()) {
            if (!names(wanted).contains(group.name())) {
                steps.add(plain("drop group " + group.name() + ", which has no family then"));
            }
        }
    }

    private static void families(TableSchema from, TableSchema wanted, List<Step> steps) {
        for (FamilySchema family : from.families()) {
            if (wanted.family(family.name()).isEmpty()) {
                steps.add(new Step("DROP FAMILY " + family.name() + " WITH ALL ITS CELLS, FOR GOOD", true));
            }
        }
        for (FamilySchema family : wanted.families()) {
            Optional<FamilySchema> before = from.family(family.name());
            if (before.isEmpty()) {
                steps.add(plain("add family " + family.name() + ": " + text(family)));
            } else if (!text(before.get()).equals(text(family))) {
                steps.add(change(before.get(), family));
            }
        }
    }

    private static Step change(FamilySchema before, FamilySchema family) {
        String difference = family.name() + ": " + text(before) + " -> " + text(family);
        return GcRule.keepsAllOf(before.garbage(), family.garbage())
                ? plain("change family " + difference)
                : new Step("DROP WHAT A STRICTER RULE CALLS GARBAGE, FOR GOOD, change family " + difference, true);
    }

    private static Step plain(String text) {
        return new Step(text, false);
    }

    private static List<String> names(TableSchema schema) {
        return schema.groups().stream().map(LocalityGroup::name).toList();
    }

    /** All that a file says of it. */
    private static String text(FamilySchema family) {
        return FamilyText.of(family.garbage()) + ",group=" + family.localityGroup()
                + FamilyText.purge(family).map(age -> ",purge=" + age).orElse("")
                + FamilyText.timestamps(family).map(by -> ",timestamps=" + by).orElse("");
    }

    private static String text(Quotas quotas) {
        return quotas.isNone()
                ? "none"
                : String.join(", ", QuotaDescription.lines(quotas, Optional.empty()))
                        .replace('\t', ' ');
    }
}
