package bt.tablet;

import bt.model.Change;
import bt.model.RowMutation;
import bt.model.TableSchema;

/** What a memtable has changes of, or is about to get some of. The tablet's owner foresees, any thread asks. */
final class HeldInMemtable {
    private final FamilyCounts families;

    /** Of what it has, as far as somebody has looked: whoever looks further replaces it. */
    private volatile Seen there = Seen.NOTHING;

    /** Of what it is about to get. The owner's to write. */
    private volatile Seen coming = Seen.NOTHING;

    /** Of the first families that got changes, so many. */
    private record Seen(long schemaVersion, JoinedGroups joined, int families, Held held) {
        static final Seen NOTHING = new Seen(-1, JoinedGroups.NONE, 0, Held.NOTHING);

        Seen under(TableSchema schema, JoinedGroups groups) {
            return schemaVersion == schema.version() && joined.equals(groups) ? this : NOTHING;
        }
    }

    HeldInMemtable(FamilyCounts families) {
        this.families = families;
    }

    boolean isNothing() {
        return families.size() == 0 && coming.held.isNothing();
    }

    /** By the schema's places. */
    Held in(TableSchema schema, JoinedGroups joined) {
        Seen seen = there.under(schema, joined);
        int known = families.size();
        if (seen.families < known) {
            Held held = seen.held;
            for (int i = seen.families; i < known; i++) {
                held = held.and(Held.of(families.family(i), schema, joined));
            }
            seen = new Seen(schema.version(), joined, known, held);
            there = seen;
        }
        return seen.held.and(coming.under(schema, joined).held);
    }

    /** What the mutation has and this has not. Only the owner thread. */
    Held missing(RowMutation mutation, TableSchema schema, JoinedGroups joined) {
        Held wanted = Held.NOTHING;
        String last = "";
        for (Change change : mutation.changes()) {
            // Every write comes by here, and mostly there is nothing that it could add.
            if (change.kind() != Change.Kind.DELETE_ROW && !familyOf(change).equals(last)) {
                last = familyOf(change);
                wanted = wanted.and(schema.family(last)
                        .map(family -> missing(family.id(), schema, joined))
                        .orElse(Held.NOTHING));
            }
        }
        return wanted.isNothing() ? wanted : wanted.without(in(schema, joined));
    }

    private Held missing(int family, TableSchema schema, JoinedGroups joined) {
        return families.has(family) ? Held.NOTHING : Held.of(family, schema, joined);
    }

    /** This is about to be applied. Only the owner thread. */
    void foresee(Held more, TableSchema schema, JoinedGroups joined) {
        if (!more.isNothing()) {
            coming = new Seen(
                    schema.version(),
                    joined,
                    0,
                    coming.under(schema, joined).held.and(more));
        }
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
}
