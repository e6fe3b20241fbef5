package bt.model;

import static bt.base.Check.checkGiven;

import bt.base.Messages;
import bt.base.MistakeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * Describes what a table's schema is to become; {@code Admin.alterTable} makes it so. The result has the version of the
 * schema that it was made from: it is refused where that is not the table's any more. One thread. Section 3 of the
 * paper has functions for changing the metadata of tables and families.
 */
public final class SchemaChange {
    private final TableSchema from;
    private final List<FamilySchema> families;
    private final List<LocalityGroup> groups;
    private int nextFamilyId;
    private TableSchema.Durability durability;
    private Quotas quotas;
    private Optional<TableAccess> access;

    SchemaChange(TableSchema from) {
        this.from = from;
        this.families = new ArrayList<>(from.families());
        this.groups = new ArrayList<>(from.groups());
        this.nextFamilyId = from.nextFamilyId();
        this.durability = from.durability();
        this.quotas = from.quotas();
        this.access = from.access();
    }

    /** A new family in the default locality group. */
    public SchemaChange addFamily(String family, GcRule garbage) {
        return addFamily(family, LocalityGroup.DEFAULT_NAME, garbage);
    }

    /** A new family. Its id is new too: what a dropped family of the same name held stays gone. */
    public SchemaChange addFamily(String family, String group, GcRule garbage) {
        families.add(new FamilySchema(nextFamilyId++, family, group, garbage));
        return this;
    }

    /** Its cells are no longer shown, and leave the files with their compactions. For good: there is no way back. */
    public SchemaChange dropFamily(String family) {
        int id = families.remove(at(family)).id();
        access = access.map(lists -> lists.without(id));
        return this;
    }

    /** Under a stricter rule cells vanish at once. Under a looser one, what the old rule hid may show again, or not. */
    public SchemaChange garbage(String family, GcRule rule) {
        return replace(family, before -> before.withGarbage(rule));
    }

    /** Promises that what is deleted is off the disk within this, in microseconds. */
    public SchemaChange purge(String family, long withinMicros) {
        return purge(family, OptionalLong.of(withinMicros));
    }

    /** The same; empty takes the promise back. */
    public SchemaChange purge(String family, OptionalLong withinMicros) {
        return replace(family, before -> before.purged(withinMicros));
    }

    /** Who gives timestamps to what is written from then on; what is there stays as it is. */
    public SchemaChange timestamps(String family, Timestamps by) {
        return replace(family, before -> before.stamped(by));
    }

    /** Stores the family with others: files follow as they are written and compacted, reads do not notice. */
    public SchemaChange moveFamily(String family, String group) {
        return replace(family, before -> before.inGroup(group));
    }

    /** Adds a locality group, or tunes the one of that name: for files that are written from then on. */
    public SchemaChange group(LocalityGroup group) {
        for (int i = 0; i < groups.size(); i++) {
            if (groups.get(i).name().equals(group.name())) {
                groups.set(i, group);
                return this;
            }
        }
        groups.add(group);
        return this;
    }

    /** No family may be left in it. */
    public SchemaChange dropGroup(String group) {
        checkGiven(
                groups.removeIf(present -> present.name().equals(group)),
                "table %s has no locality group %s",
                "name one that it has",
                from.name(),
                group);
        return this;
    }

    /** What writes that are acknowledged from then on have survived. */
    public SchemaChange durability(TableSchema.Durability wanted) {
        durability = wanted;
        return this;
    }

    /** Servers follow at once, for what is written from then on. */
    public SchemaChange quotas(UnaryOperator<Quotas> change) {
        quotas = change.apply(quotas);
        return this;
    }

    /** Gives a user rights for the table, or, where one is named, for a family; from then on the table is for those in its lists. */
    public SchemaChange grant(String user, Set<Right> rights, Optional<String> family) {
        return access(family, list -> list.grant(user, rights));
    }

    /** Takes rights from a user; what another list gives stays. A table whose last right is taken is for administrators alone. */
    public SchemaChange revoke(String user, Set<Right> rights, Optional<String> family) {
        return access.isEmpty() ? this : access(family, list -> list.revoke(user, rights));
    }

    private SchemaChange access(Optional<String> family, UnaryOperator<AccessList> change) {
        Optional<Integer> id = family.map(name -> families.get(at(name)).id());
        access = Optional.of(access.orElse(TableAccess.NOBODY).change(id, change));
        return this;
    }

    /**
     * What {@code Admin.alterTable} is to be given. IllegalArgumentException where the schema cannot be, as for a
     * family whose locality group is gone.
     */
    public TableSchema build() {
        return new TableSchema(
                        from.id(),
                        from.name(),
                        from.version(),
                        nextFamilyId,
                        durability,
                        families,
                        groups,
                        quotas,
                        access)
                .checkFamilies(from.families().size());
    }

    private SchemaChange replace(String family, UnaryOperator<FamilySchema> change) {
        int at = at(family);
        families.set(at, change.apply(families.get(at)));
        return this;
    }

    private int at(String family) {
        for (int i = 0; i < families.size(); i++) {
            if (families.get(i).name().equals(family)) {
                return i;
            }
        }
        throw new MistakeException(
                "table " + from.name() + " has no family " + Messages.name(family), "name one that it has");
    }
}
