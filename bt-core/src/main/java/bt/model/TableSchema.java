package bt.model;

import static bt.base.Check.checkGiven;

import bt.base.Messages;
import bt.base.MistakeException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * A table as the servers see it. The version rises with every change; ids of tables and families are never given twice.
 * Durability says what an acknowledged write has survived. Section 4 of the paper has schemas in the lock service.
 */
public record TableSchema(
        long id,
        String name,
        long version,
        int nextFamilyId,
        Durability durability,
        List<FamilySchema> families,
        List<LocalityGroup> groups,
        Quotas quotas,
        Optional<TableAccess> access) {
    /** Table 0 is METADATA itself. */
    public static final long METADATA_ID = 0;

    /** What stands before the end row of a tablet in the key of its row in METADATA. */
    private static final int BEFORE_END_ROW_BYTES = 9;

    /** The id of a schema that the master has not given one yet. */
    public static final long DRAFT_ID = -1;

    public TableSchema {
        families = FamilyList.copyOf(families);
        groups = List.copyOf(groups);
        Names.check("table", name);
        checkGiven(
                groups.size() <= Limits.LOCALITY_GROUPS,
                "%s has %d locality groups, more than %d",
                "put families that are read together into one",
                name,
                groups.size(),
                Limits.LOCALITY_GROUPS);
        int parts = groups.size();
        for (FamilySchema family : families) {
            int rules = rulesIn(family.garbage());
            checkGiven(
                    rules <= Limits.FAMILY_RULES,
                    "%s: the garbage rule of family %s has %d rules of rules, more than %d",
                    "say the same with fewer",
                    name,
                    family.name(),
                    rules,
                    Limits.FAMILY_RULES);
            parts += 1 + rules;
        }
        checkGiven(
                parts <= Limits.SCHEMA_PARTS,
                "%s: families, locality groups and rules of rules are %d, more than %d",
                "use fewer of them, or several tables",
                name,
                parts,
                Limits.SCHEMA_PARTS);
        Set<Object> seen = new HashSet<>();
        for (LocalityGroup group : groups) {
            checkGiven(
                    seen.add("group " + group.name()),
                    "%s has the locality group %s twice",
                    "name it once",
                    name,
                    group.name());
        }
        for (FamilySchema family : families) {
            checkGiven(seen.add(family.name()), "%s has the family %s twice", "name it once", name, family.name());
            checkGiven(
                    seen.add(family.id()),
                    "%s has the family id %d twice",
                    "begin with the table's present schema",
                    name,
                    family.id());
            checkGiven(
                    family.id() < nextFamilyId,
                    "%s: family id %d is not given yet",
                    "begin with the table's present schema",
                    name,
                    family.id());
            checkGiven(
                    seen.contains("group " + family.localityGroup()),
                    "%s: family %s names the locality group %s, which is not there",
                    "add the group, or name one that is there",
                    name,
                    family.name(),
                    family.localityGroup());
        }
        access.ifPresent(lists -> lists.families()
                .keySet()
                .forEach(family -> checkGiven(
                        seen.contains(family),
                        "%s: rights for the family id %d, which is not there",
                        "begin with the table's present schema",
                        name,
                        family)));
    }

    /** A table without quotas, open to everybody. */
    public TableSchema(
            long id,
            String name,
            long version,
            int nextFamilyId,
            Durability durability,
            List<FamilySchema> families,
            List<LocalityGroup> groups) {
        this(id, name, version, nextFamilyId, durability, families, groups, Quotas.NONE, Optional.empty());
    }

    /**
     * This schema, where it has no more families than a table may have, or than this one had before: some have more, of a time when they
     * might. IllegalArgumentException where it has.
     */
    public TableSchema checkFamilies(int before) {
        checkGiven(
                families.size() <= Math.max(Limits.FAMILIES, before),
                "%s has %d families, more than %d",
                "use fewer of them, with more qualifiers in each, or several tables",
                name,
                families.size(),
                Math.max(Limits.FAMILIES, before));
        return this;
    }

    private static int rulesIn(GcRule rule) {
        List<GcRule> rules = rule instanceof GcRule.Any any
                ? any.rules()
                : rule instanceof GcRule.Every every ? every.rules() : List.of();
        return rules.size() + rules.stream().mapToInt(TableSchema::rulesIn).sum();
    }

    /** Begins the description of a new table. */
    public static Builder draft(String name) {
        return new Builder(name);
    }

    /**
     * The bytes that a row key may have: {@link Limits#ROW_BYTES}; in METADATA, whose keys name tablets by their end rows, what names
     * a tablet of METADATA itself, which ends with such a key.
     */
    public int maxRowBytes() {
        return id == METADATA_ID ? Limits.ROW_BYTES + 2 * BEFORE_END_ROW_BYTES : Limits.ROW_BYTES;
    }

    /** Begins a change of this schema. */
    public SchemaChange change() {
        return new SchemaChange(this);
    }

    /** The family of this name, if the table has one. */
    public Optional<FamilySchema> family(String familyName) {
        // Every change of a mutation asks this.
        return ((FamilyList) families).named(familyName);
    }

    /** The family of this id, if the table has one still. */
    public Optional<FamilySchema> family(int familyId) {
        // Reads ask this at every column.
        return ((FamilyList) families).ofId(familyId);
    }

    /** Its place among the families; NoSuchElementException where there is none. */
    public int placeOf(int familyId) {
        int place = ((FamilyList) families).placeOf(familyId);
        if (place < 0) {
            throw new NoSuchElementException(name + " has no family of id " + familyId);
        }
        return place;
    }

    /** The locality group of this name; NoSuchElementException where there is none, which no family's is. */
    public LocalityGroup group(String groupName) {
        for (LocalityGroup group : groups) {
            if (group.name().equals(groupName)) {
                return group;
            }
        }
        throw new NoSuchElementException(name + " has no locality group " + groupName);
    }

    /** What the user may do with it, but for what administrators of the cluster may. */
    public TableRights rightsOf(String user) {
        // Every request asks this, and most tables are open.
        return access.isEmpty() ? TableRights.ALL : access.get().of(user);
    }

    /** The same table with these lists, or open to everybody. */
    public TableSchema with(Optional<TableAccess> lists) {
        return new TableSchema(id, name, version, nextFamilyId, durability, families, groups, quotas, lists);
    }

    /** What is left of it without these families and all that is said of them. */
    public TableSchema beside(Set<Integer> familyIds) {
        Set<Integer> others = new HashSet<>();
        families.stream()
                .map(FamilySchema::id)
                .filter(id -> !familyIds.contains(id))
                .forEach(others::add);
        Optional<TableAccess> lists = access;
        for (int id : familyIds) {
            lists = lists.map(present -> present.without(id));
        }
        return showing(others).with(lists);
    }

    /** The table as it is to somebody to whom only these families are shown, and who gives no rights. */
    public TableSchema showing(Set<Integer> familyIds) {
        List<FamilySchema> shown = families.stream()
                .filter(family -> familyIds.contains(family.id()))
                .toList();
        return new TableSchema(id, name, version, nextFamilyId, durability, shown, groups, quotas, Optional.empty());
    }

    /** What an acknowledged write has survived. */
    public enum Durability {
        /** On the disks of all replicas: a power cut. */
        SYNC,
        /** In the memory of all replicas: the death of any process. */
        FLUSH
    }

    /** Describes a table that is to be created. One thread. */
    public static final class Builder {
        private final String name;
        private final List<FamilySchema> families = new ArrayList<>();
        private final List<LocalityGroup> groups = new ArrayList<>(List.of(LocalityGroup.DEFAULT));
        private Durability durability = Durability.SYNC;
        private Quotas quotas = Quotas.NONE;
        private Optional<TableAccess> access = Optional.empty();

        private Builder(String name) {
            this.name = name;
        }

        /** A family in the default locality group. */
        public Builder family(String family, GcRule garbage) {
            return family(family, LocalityGroup.DEFAULT_NAME, garbage);
        }

        /** A family in a locality group, which the draft has by the time it is built. */
        public Builder family(String family, String group, GcRule garbage) {
            families.add(new FamilySchema(families.size() + 1, family, group, garbage));
            return this;
        }

        /** Promises for a family of the draft that deleted data is off the disk within this time. */
        public Builder purge(String family, long withinMicros) {
            return change(family, found -> found.purgedWithin(withinMicros));
        }

        /** Who gives the timestamps of a family of the draft. */
        public Builder timestamps(String family, Timestamps by) {
            return change(family, found -> found.stamped(by));
        }

        private Builder change(String family, UnaryOperator<FamilySchema> change) {
            FamilySchema found = named(family);
            families.set(found.id() - 1, change.apply(found));
            return this;
        }

        private FamilySchema named(String family) {
            // Mostly it was added just now: from the first on, each of many would be as many looks.
            for (int i = families.size() - 1; i >= 0; i--) {
                if (families.get(i).name().equals(family)) {
                    return families.get(i);
                }
            }
            throw new MistakeException(
                    "table " + name + ": the draft has no family " + Messages.name(family),
                    "add it before what is said of it");
        }

        /**
         * Gives a user rights for the table, or, where one is named, for a family of the draft. So it begins with lists;
         * without one it is open to everybody, or its creator's, as the cluster is.
         */
        public Builder grant(String user, Set<Right> rights, Optional<String> family) {
            Optional<Integer> id = family.map(wanted -> named(wanted).id());
            access = Optional.of(access.orElse(TableAccess.NOBODY).change(id, list -> list.grant(user, rights)));
            return this;
        }

        /**
         * A locality group, or other tuning for the one of this name; that of name {@code default} is there from the
         * beginning.
         */
        public Builder group(LocalityGroup group) {
            groups.removeIf(present -> present.name().equals(group.name()));
            groups.add(group);
            return this;
        }

        /** What an acknowledged write is to have survived; SYNC where nothing is said. */
        public Builder durability(Durability wanted) {
            durability = wanted;
            return this;
        }

        /** How much the table and its users may take; nothing is bounded where nothing is said. */
        public Builder quotas(Quotas wanted) {
            quotas = wanted;
            return this;
        }

        /**
         * A draft for {@code Admin.createTable}, which gives it its id. IllegalArgumentException where a name is none,
         * stands twice, or is that of a locality group which is not there.
         */
        public TableSchema build() {
            return new TableSchema(DRAFT_ID, name, 0, families.size() + 1, durability, families, groups, quotas, access)
                    .checkFamilies(0);
        }
    }
}
