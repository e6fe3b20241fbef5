package bt.thrift.convert;

import static bt.thrift.convert.Given.present;
import static bt.thrift.convert.Given.valid;

import bt.base.Bytes;
import bt.base.RejectedException;
import bt.model.FamilySchema;
import bt.model.GcRule;
import bt.model.Names;
import bt.model.TableSchema;
import bt.model.Timestamps;
import bt.thrift.gen.Durability;
import bt.thrift.gen.Family;
import bt.thrift.gen.Table;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
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
            throw new RejectedException("no table has such a name of " + name.length()
                    + " characters: letters, digits, - _ and . are allowed, 1 to 128 of them, the first no - or .");
        }
        return name;
    }

    public static Table of(TableSchema schema) {
        Table table = new Table(
                schema.name(), schema.families().stream().map(Tables::family).toList());
        return table.setDurability(
                switch (schema.durability()) {
                    case SYNC -> Durability.SYNC;
                    case FLUSH -> Durability.FLUSH;
                });
    }

    /** At least as many bytes as the table takes in an answer, whatever the protocol. */
    public static long bytes(TableSchema schema) {
        return OVERHEAD
                + Bytes.utf8(schema.name()).length()
                + schema.families().stream().mapToLong(Tables::bytes).sum();
    }

    private static long bytes(FamilySchema family) {
        return OVERHEAD + Bytes.utf8(family.name()).length() + bytes(family.garbage());
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
        for (Family family : present(table.getFamilies(), "table.families")) {
            add(family, draft);
        }
        if (table.isSetDurability()) {
            draft.durability(durability(table.getDurability()));
        }
        return valid(draft::build);
    }

    /** Adds a family to what is described. */
    static void add(Family family, TableSchema.Builder draft) throws RejectedException {
        String name = present(family.getName(), "the name of a family");
        GcRule garbage = family.isSetGarbage() ? GcRules.of(family.getGarbage()) : GcRule.KEEP_ALL;
        valid(() -> draft.family(name, garbage));
        if (family.isSetTimestamps()) {
            draft.timestamps(name, timestamps(family.getTimestamps()));
        }
        if (family.isSetPurgeMicros()) {
            valid(() -> draft.purge(name, family.getPurgeMicros()));
        }
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
