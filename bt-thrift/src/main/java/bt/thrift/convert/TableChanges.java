package bt.thrift.convert;

import static bt.thrift.convert.Given.present;

import bt.base.RejectedException;
import bt.model.FamilySchema;
import bt.model.SchemaChange;
import bt.model.TableSchema;
import bt.thrift.gen.Family;
import bt.thrift.gen.TableChange;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Changes of a table's schema. */
public final class TableChanges {
    private final List<FamilySchema> added;
    private final List<FamilySchema> changed;
    private final List<String> dropped;
    private final Optional<TableSchema.Durability> durability;

    private TableChanges(TableChange given) throws RejectedException {
        added = given.isSetAddFamilies() ? families(given.getAddFamilies()) : List.of();
        changed = given.isSetChangeFamilies() ? families(given.getChangeFamilies()) : List.of();
        dropped = given.isSetDropFamilies() ? List.copyOf(given.getDropFamilies()) : List.of();
        durability = given.isSetDurability() ? Optional.of(Tables.durability(given.getDurability())) : Optional.empty();
    }

    /**
     * From the table's present schema to the one wanted. It throws an IllegalArgumentException where that schema cannot be: a
     * mistake of the caller's.
     */
    public static UnaryOperator<TableSchema> of(@Nullable TableChange given) throws RejectedException {
        return new TableChanges(present(given, "change"))::apply;
    }

    private static List<FamilySchema> families(List<Family> given) throws RejectedException {
        TableSchema.Builder draft = TableSchema.draft("families");
        for (Family family : given) {
            Tables.add(present(family, "a family"), draft);
        }
        return given.isEmpty() ? List.of() : Given.valid(draft::build).families();
    }

    private TableSchema apply(TableSchema now) {
        SchemaChange change = now.change();
        dropped.forEach(change::dropFamily);
        for (FamilySchema family : added) {
            change.addFamily(family.name(), family.garbage());
            describe(family, change);
        }
        for (FamilySchema family : changed) {
            change.garbage(family.name(), family.garbage());
            describe(family, change);
        }
        durability.ifPresent(change::durability);
        return change.build();
    }

    private static void describe(FamilySchema family, SchemaChange change) {
        change.timestamps(family.name(), family.timestamps()).purge(family.name(), family.purgeMicros());
    }
}
