package bt.thrift.convert;

import static bt.thrift.convert.Given.present;

import bt.base.RejectedException;
import bt.model.FamilySchema;
import bt.model.LocalityGroup;
import bt.model.Quotas;
import bt.model.SchemaChange;
import bt.model.TableSchema;
import bt.thrift.gen.Family;
import bt.thrift.gen.TableChange;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Changes of a table's schema. */
public final class TableChanges {
    private final List<FamilySchema> added;
    private final List<FamilySchema> changed;
    /** Of those that are changed, by name. */
    private final Set<String> moved;

    private final List<String> dropped;
    private final List<LocalityGroup> groups;
    private final List<String> droppedGroups;
    private final Optional<TableSchema.Durability> durability;
    private final Optional<Quotas> quotas;

    private TableChanges(TableChange given) throws RejectedException {
        List<Family> toChange = given.isSetChangeFamilies() ? given.getChangeFamilies() : List.of();
        added = given.isSetAddFamilies() ? Tables.families(given.getAddFamilies()) : List.of();
        changed = Tables.families(toChange);
        moved = toChange.stream()
                .filter(Family::isSetLocalityGroup)
                .map(Family::getName)
                .collect(Collectors.toUnmodifiableSet());
        dropped = given.isSetDropFamilies() ? List.copyOf(given.getDropFamilies()) : List.of();
        groups = given.isSetGroups() ? Groups.of(given.getGroups()) : List.of();
        droppedGroups = given.isSetDropGroups() ? List.copyOf(given.getDropGroups()) : List.of();
        durability = given.isSetDurability() ? Optional.of(Tables.durability(given.getDurability())) : Optional.empty();
        quotas = given.isSetQuotas() ? Optional.of(TableQuotas.of(given.getQuotas())) : Optional.empty();
    }

    /**
     * From the table's present schema to the one wanted. It throws an IllegalArgumentException where that schema cannot be: a
     * mistake of the caller's.
     */
    public static UnaryOperator<TableSchema> of(@Nullable TableChange given) throws RejectedException {
        return new TableChanges(present(given, "change"))::apply;
    }

    private TableSchema apply(TableSchema now) {
        SchemaChange change = now.change();
        groups.forEach(change::group);
        dropped.forEach(change::dropFamily);
        for (FamilySchema family : added) {
            change.addFamily(family.name(), family.localityGroup(), family.garbage());
            describe(family, change);
        }
        for (FamilySchema family : changed) {
            change.garbage(family.name(), family.garbage());
            describe(family, change);
            if (moved.contains(family.name())) {
                change.moveFamily(family.name(), family.localityGroup());
            }
        }
        droppedGroups.forEach(change::dropGroup);
        durability.ifPresent(change::durability);
        quotas.ifPresent(wanted -> change.quotas(before -> wanted));
        return change.build();
    }

    private static void describe(FamilySchema family, SchemaChange change) {
        change.timestamps(family.name(), family.timestamps()).purge(family.name(), family.purgeMicros());
    }
}
