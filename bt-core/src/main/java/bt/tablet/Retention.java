package bt.tablet;

import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Slice;
import bt.model.CellKey;
import bt.model.CellKey.Kind;
import bt.model.CellKey.Level;
import bt.model.FamilySchema;
import bt.model.TableSchema;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a compaction keeps of the changes that it is shown in order, so that no read at or above its horizon can tell that
 * it ran. Changes above the horizon stay as they are. Of those below, everything that a deletion of the whole column hides
 * goes, in any compaction, and so does what is too old by age alone; of several deletions of the same whole the last
 * stands for all. What else may go is for the {@link ColumnRetention} of each family's rule to say. One thread.
 */
final class Retention {
    private final TableSchema schema;
    private final CompactionScope scope;
    private final Deletions deletions = new Deletions();
    private final Map<Integer, Optional<ColumnRetention>> families = new HashMap<>();

    /** What all keys of the column begin with that was shown last; or of the row's or family's own keys. */
    private Bytes prefix = Bytes.EMPTY;

    private Bytes row = Bytes.EMPTY;
    private int family = CellKey.ROW_LEVEL;

    Retention(TableSchema schema, CompactionScope scope) {
        this.schema = schema;
        this.scope = scope;
    }

    /** What becomes of a change. */
    enum Verdict {
        KEEP,
        /** Its value goes, and what is left only counts against older versions. */
        GHOST,
        /** It stays, as a ghost if it is a put, provided that anything of its column is kept behind it. */
        KEEP_BEFORE_OTHERS,
        DROP
    }

    /** The family of the change that was shown last; {@link CellKey#ROW_LEVEL} for a deletion of the row. */
    int family() {
        return family;
    }

    /** True when the change that is shown begins another column than the one before. */
    boolean enters(Slice key) throws CorruptionException {
        int here = CellKey.columnPrefixLength(key);
        if (here == prefix.length() && prefix.compareTo(key.array(), key.from(), key.from() + here) == 0) {
            return false;
        }
        CellKey entered = CellKey.decode(key.toBytes());
        prefix = Bytes.copyOf(key.array(), key.from(), here);
        if (!entered.row().equals(row)) {
            row = entered.row();
            deletions.beginRow();
        } else if (entered.family() != family) {
            deletions.beginFamily();
        } else {
            deletions.beginColumn();
        }
        family = entered.family();
        if (entered.kind().level() == Level.COLUMN) {
            ofFamily().ifPresent(ColumnRetention::beginColumn);
        }
        return true;
    }

    /** Judges the change, of the column that was entered last. */
    Verdict judge(Slice key, Slice value) throws CorruptionException {
        Kind kind = CellKey.kindOf(key);
        long sequence = CellKey.sequenceOf(key);
        if (kind.level() != Level.ROW && ofFamily().isEmpty()) {
            // A family that is not there any more was dropped: its cells go no further.
            return Verdict.DROP;
        }
        if (sequence > scope.horizon()) {
            return Verdict.KEEP;
        }
        return switch (kind) {
            case PUT, GHOST -> put(key, sequence, kind == Kind.GHOST);
            case DELETE_ROW -> {
                boolean isLast = sequence > deletions.rowEmptiedAt();
                deletions.addOfRow(sequence);
                yield ofWhole(isLast);
            }
            case DELETE_FAMILY -> {
                boolean isLast = sequence > deletions.familyEmptiedAt();
                deletions.addOfFamily(sequence);
                yield ofWhole(isLast);
            }
            case DELETE_COLUMN -> {
                boolean isLast = sequence > deletions.columnEmptiedAt();
                deletions.addOfColumn(sequence);
                yield ofWhole(isLast);
            }
            case DELETE_VERSIONS -> ofVersions(Deletions.oldestHidden(key, value), key, sequence);
            case DELETE_VERSION -> ofVersions(CellKey.timestampOf(key), key, sequence);
            case MERGE, PUT_WITH_ATTRIBUTES ->
                throw new CorruptionException("cell key " + key + ": kind " + kind + " is beyond this version of bt");
        };
    }

    private Verdict ofWhole(boolean isLast) {
        return scope.hasAllOlder() || !isLast ? Verdict.DROP : Verdict.KEEP;
    }

    private Verdict ofVersions(long oldest, Slice key, long sequence) {
        if (sequence < deletions.columnEmptiedAt()) {
            return Verdict.DROP;
        }
        deletions.addOfVersions(oldest, CellKey.timestampOf(key), sequence);
        return ofFamily().orElseThrow().ofVersions(sequence);
    }

    private Verdict put(Slice key, long sequence, boolean isGhost) {
        if (sequence < deletions.columnEmptiedAt()) {
            return Verdict.DROP;
        }
        long timestamp = CellKey.timestampOf(key);
        long deletedAt = deletions.deletedAt(timestamp, sequence);
        return ofFamily().orElseThrow().put(timestamp, sequence, deletedAt, isGhost);
    }

    private Optional<ColumnRetention> ofFamily() {
        return families.computeIfAbsent(
                family,
                id -> schema.family(id).map(FamilySchema::garbage).map(rule -> ColumnRetention.of(rule, scope)));
    }
}
