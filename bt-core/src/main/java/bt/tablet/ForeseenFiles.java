package bt.tablet;

import bt.model.CellKey;
import bt.model.Change;
import bt.model.FamilySchema;
import bt.model.RowMutation;
import bt.model.TableSchema;
import java.util.Optional;

/**
 * The files that a memtable is going to become: one for each locality group that it has changes of, or is about to get some of; the deletion
 * of a row is of all groups. Groups are bits in the order of the schema, which has 64 at most. The tablet's owner foresees, any
 * thread asks.
 */
final class ForeseenFiles {
    private final FamilyCounts families;

    /** Of what it has, as far as somebody has looked: whoever looks further replaces it. */
    private volatile Groups there = Groups.NONE;

    /** Of what it is about to get. The owner's to write. */
    private volatile Groups coming = Groups.NONE;

    /** Of the first families that got changes, so many. */
    private record Groups(long schemaVersion, int families, long bits) {
        static final Groups NONE = new Groups(-1, 0, 0);

        Groups under(TableSchema schema) {
            return schemaVersion == schema.version() ? this : NONE;
        }
    }

    ForeseenFiles(FamilyCounts families) {
        this.families = families;
    }

    int count(TableSchema schema) {
        return Long.bitCount(bits(schema));
    }

    /** How many more the mutation would make them. Only the owner thread. */
    int more(RowMutation mutation, TableSchema schema) {
        return Long.bitCount(missing(mutation, schema));
    }

    /** The mutation is about to be applied: how many more it makes them. Only the owner thread. */
    int foresee(RowMutation mutation, TableSchema schema) {
        long missing = missing(mutation, schema);
        if (missing != 0) {
            coming = new Groups(schema.version(), 0, coming.under(schema).bits | missing);
        }
        return Long.bitCount(missing);
    }

    private long missing(RowMutation mutation, TableSchema schema) {
        long known = bits(schema);
        if (known == all(schema)) {
            // Every write comes by here, and mostly there is nothing left that it could add.
            return 0;
        }
        long wanted = 0;
        for (Change change : mutation.changes()) {
            wanted |= bitsOf(change, schema);
        }
        return wanted & ~known;
    }

    private long bitsOf(Change change, TableSchema schema) {
        if (change.kind() == Change.Kind.DELETE_ROW) {
            return all(schema);
        }
        Optional<FamilySchema> family = schema.family(familyOf(change));
        // To find the group takes longer, and that of a family which has changes is known.
        return family.isEmpty() || families.has(family.get().id()) ? 0 : bit(family.get(), schema);
    }

    private static String familyOf(Change change) {
        return switch (change.kind()) {
            case SET_CELL -> ((Change.SetCell) change).column().family();
            case DELETE_ROW -> throw new AssertionError(change);
            case DELETE_FAMILY -> ((Change.DeleteFamily) change).family();
            case DELETE_COLUMN -> ((Change.DeleteColumn) change).column().family();
            case DELETE_VERSIONS -> ((Change.DeleteVersions) change).column().family();
            case DELETE_VERSION -> ((Change.DeleteVersion) change).column().family();
            case INCREMENT -> ((Change.Increment) change).column().family();
            case APPEND -> ((Change.Append) change).column().family();
        };
    }

    private long bits(TableSchema schema) {
        Groups seen = there.under(schema);
        int known = families.size();
        if (seen.families < known) {
            long bits = seen.bits;
            for (int i = seen.families; i < known; i++) {
                bits |= bitsOf(families.family(i), schema);
            }
            seen = new Groups(schema.version(), known, bits);
            there = seen;
        }
        return seen.bits | coming.under(schema).bits;
    }

    /** None of a family that is not there any more: its changes go to no file. */
    private static long bitsOf(int family, TableSchema schema) {
        return family == CellKey.ROW_LEVEL
                ? all(schema)
                : schema.family(family).map(known -> bit(known, schema)).orElse(0L);
    }

    private static long bit(FamilySchema family, TableSchema schema) {
        return 1L << schema.groups().indexOf(schema.group(family.localityGroup()));
    }

    private static long all(TableSchema schema) {
        return -1L >>> (Long.SIZE - schema.groups().size());
    }
}
