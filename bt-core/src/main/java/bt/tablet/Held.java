package bt.tablet;

import bt.model.FamilySchema;
import bt.model.TableSchema;
import java.util.BitSet;
import java.util.Optional;

/**
 * Locality groups and families of which a tablet has something, or a part of it. They are bits in the order of one version of the schema, which has 64
 * groups at most: a tablet is asked for them with every write. Immutable.
 */
final class Held {
    static final Held NOTHING = new Held(0, new BitSet(0));

    private final long groups;
    private final BitSet families;

    private Held(long groups, BitSet families) {
        this.groups = groups;
        this.families = families;
    }

    /**
     * The group of the family with it, or the one that stands for those that it is joined with; nothing of one that is not there any more, nor of
     * deletions of rows: a memtable writes them to groups alone of which there is something.
     */
    static Held of(int family, TableSchema schema, JoinedGroups joined) {
        Optional<FamilySchema> known = schema.family(family);
        if (known.isEmpty()) {
            return NOTHING;
        }
        BitSet one = new BitSet();
        one.set(schema.placeOf(family));
        return new Held(joined.first(JoinedGroups.groupOf(known.get(), schema)), one);
    }

    Held and(Held other) {
        if (isNothing() || other.isNothing()) {
            return isNothing() ? other : this;
        }
        BitSet both = (BitSet) families.clone();
        both.or(other.families);
        return new Held(groups | other.groups, both);
    }

    Held without(Held other) {
        if (isNothing() || other.isNothing()) {
            return this;
        }
        BitSet rest = (BitSet) families.clone();
        rest.andNot(other.families);
        return new Held(groups & ~other.groups, rest);
    }

    Held groupsAlone() {
        return new Held(groups, NOTHING.families);
    }

    Held familiesAlone() {
        return new Held(0, families);
    }

    boolean isNothing() {
        return groups == 0 && families.isEmpty();
    }

    int groups() {
        return Long.bitCount(groups);
    }

    int families() {
        return families.cardinality();
    }
}
