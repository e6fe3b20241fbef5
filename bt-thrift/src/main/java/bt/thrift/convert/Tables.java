package bt.thrift.convert;

import static bt.thrift.convert.Given.present;
import static bt.thrift.convert.Given.valid;

import bt.base.Bytes;
import bt.base.RejectedException;
import bt.model.FamilySchema;
import bt.model.GcRule;
import bt.model.LocalityGroup;
import bt.model.Names;
import bt.model.TableSchema;
import bt.model.Timestamps;
import bt.thrift.gen.Durability;
import bt.thrift.gen.Family;
import bt.thrift.gen.Table;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Tables as they are described, not what is in them. */
public final class Tables {
    /** What a table, or a family of it, takes beside its name and its rule. */
    private static final long OVERHEAD = 48;

    private static final long RULE_OVERHEAD = 16;

    private Tables() {}

    /** The name, if a table can have it: what cannot be a name is not looked up, nor repeated at its full length. */
    public static String name(@Nullable String given) throws RejectedException {
        String name = present(given, "table");
        if (!Names.isAllowed(name)) {
            throw new RejectedException(
                    "no table has such a name of " + name.length() + " characters",
                    "give it 1 to 128 of them: letters, digits, - _ and . are allowed, the first no - or .");
        }
        return name;
    }

    public static Table of(TableSchema schema) {
        Table table = new Table(
                schema.name(), schema.families().stream().map(Tables::family).toList());
        table.setDurability(
                switch (schema.durability()) {
                    case SYNC -> Durability.SYNC;
                    case FLUSH -> Durability.FLUSH;
                });
        table.setGroups(schema.groups().stream().map(Groups::of).toList());
        return schema.quotas().isNone() ? table : table.setQuotas(TableQuotas.of(schema.quotas()));
    }

    /** At least as many bytes as the table takes in an answer, whatever the protocol. */
    public static long bytes(TableSchema schema) {
        return OVERHEAD
                + Bytes.utf8(schema.name()).length()
                + schema.families().stream().mapToLong(Tables::bytes).sum()
                + schema.groups().stream().mapToLong(Groups::bytes).sum()
                + TableQuotas.bytes(schema.quotas());
    }

    private static long bytes(FamilySchema family) {
        return OVERHEAD
                + Bytes.utf8(family.name()).length()
                + Bytes.utf8(family.localityGroup()).length()
                + bytes(family.garbage());
    }

    private static long bytes(GcRule rule) {
        return RULE_OVERHEAD + partsOf(rule).stream().mapToLong(Tables::bytes).sum();
    }

    private static List<GcRule> partsOf(GcRule rule) {
        if (rule instanceof GcRule.Any any) {
            return any.rules();
        }
        return rule instanceof GcRule.Every every ? every.rules() : List.of();
    }

    /** The draft of a table that is to be created. */
    public static TableSchema draft(@Nullable Table given) throws RejectedException {
        Table table = present(given, "table");
        TableSchema.Builder draft = TableSchema.draft(present(table.getName(), "table.name"));
        for (FamilySchema family : families(present(table.getFamilies(), "table.families"))) {
            add(family, draft);
        }
        if (table.isSetDurability()) {
            draft.durability(durability(table.getDurability()));
        }
        if (table.isSetGroups()) {
            Groups.of(table.getGroups()).forEach(draft::group);
        }
        if (table.isSetQuotas()) {
            draft.quotas(TableQuotas.of(table.getQuotas()));
        }
        return valid(draft::build);
    }

    private static void add(FamilySchema family, TableSchema.Builder draft) {
        draft.family(family.name(), family.localityGroup(), family.garbage())
                .timestamps(family.name(), family.timestamps());
        family.purgeMicros().ifPresent(within -> draft.purge(family.name(), within));
    }

    /** Families as they are described, none of them twice; in the group "default" where they name none. */
    static List<FamilySchema> families(List<Family> given) throws RejectedException {
        List<FamilySchema> families = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (Family one : given) {
            FamilySchema family = family(present(one, "a family"), families.size() + 1);
            if (!names.add(family.name())) {
                throw new RejectedException("the family " + family.name() + " twice", "name it once");
            }
            families.add(family);
        }
        return families;
    }

    private static FamilySchema family(Family given, int id) throws RejectedException {
        String name = present(given.getName(), "the name of a family");
        String group = given.isSetLocalityGroup() ? given.getLocalityGroup() : LocalityGroup.DEFAULT_NAME;
        GcRule garbage = given.isSetGarbage() ? GcRules.of(given.getGarbage()) : GcRule.KEEP_ALL;
        OptionalLong purge = given.isSetPurgeMicros() ? OptionalLong.of(given.getPurgeMicros()) : OptionalLong.empty();
        Timestamps by = given.isSetTimestamps() ? timestamps(given.getTimestamps()) : Timestamps.EITHER;
        return valid(() -> new FamilySchema(id, name, group, garbage, purge, by));
    }

    static TableSchema.Durability durability(Durability given) {
        return switch (given) {
            case SYNC -> TableSchema.Durability.SYNC;
            case FLUSH -> TableSchema.Durability.FLUSH;
        };
    }

    /** Absent is empty: one tablet. */
    public static List<Bytes> splitRows(@Nullable List<ByteBuffer> rows) {
        List<Bytes> split = new ArrayList<>();
        if (rows != null) {
            rows.forEach(row -> split.add(Binaries.of(row)));
        }
        return split;
    }

    private static Family family(FamilySchema schema) {
        Family family = new Family(schema.name());
        if (!schema.garbage().equals(GcRule.KEEP_ALL)) {
            family.setGarbage(GcRules.of(schema.garbage()));
        }
        if (schema.timestamps() != Timestamps.EITHER) {
            family.setTimestamps(timestamps(schema.timestamps()));
        }
        if (!schema.localityGroup().equals(LocalityGroup.DEFAULT_NAME)) {
            family.setLocalityGroup(schema.localityGroup());
        }
        schema.purgeMicros().ifPresent(family::setPurgeMicros);
        return family;
    }

    private static bt.thrift.gen.Timestamps timestamps(Timestamps by) {
        return switch (by) {
            case EITHER -> bt.thrift.gen.Timestamps.EITHER;
            case SERVER -> bt.thrift.gen.Timestamps.SERVER;
            case CLIENT -> bt.thrift.gen.Timestamps.CLIENT;
        };
    }

    private static Timestamps timestamps(bt.thrift.gen.Timestamps by) {
        return switch (by) {
            case EITHER -> Timestamps.EITHER;
            case SERVER -> Timestamps.SERVER;
            case CLIENT -> Timestamps.CLIENT;
        };
    }
}
