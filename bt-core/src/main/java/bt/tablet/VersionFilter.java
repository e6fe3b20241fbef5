package bt.tablet;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Input;
import bt.base.Slice;
import bt.model.Cell;
import bt.model.CellKey;
import bt.model.CellKey.Kind;
import bt.model.CellKey.Level;
import bt.model.ColumnKey;
import bt.model.FamilySchema;
import bt.model.GcRule;
import bt.model.TableSchema;
import bt.sstable.Cursor;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The versions that a read sees of a sorted run of changes: those with a sequence up to its read point, without what
 * deletions hide and what rules make garbage. Puts at one timestamp are one version, the highest sequence; a deletion
 * hides only lower sequences. Families that the schema has not are of a dropped name and are not shown. One thread.
 */
final class VersionFilter {
    /** Tried before a seek, which costs about as much as so many steps. */
    private static final int STEPS_BEFORE_SEEK = 8;

    private final Cursor changes;
    private final TableSchema schema;
    private final Projection projection;
    private final ReadPoint readPoint;
    private final Deletions deletions = new Deletions();
    private final Map<Integer, Garbage> rules = new HashMap<>();

    private boolean standing;
    /** Where the next step leads at least: what lies before is not wanted. */
    private Optional<Bytes> skipTo = Optional.empty();

    /** What all keys of the column begin with, in which the cursor stands; or of the row's or family's own keys. */
    private Bytes prefix = Bytes.EMPTY;

    private Bytes row = Bytes.EMPTY;
    private int family = CellKey.ROW_LEVEL;
    private Level level = Level.ROW;
    private Optional<ColumnKey> column = Optional.empty();
    private Garbage rule = Garbage.of(GcRule.KEEP_ALL, 0);
    private boolean hasVersion;
    private long timestamp;

    VersionFilter(Cursor changes, TableSchema schema, Projection projection, ReadPoint readPoint) {
        this.changes = changes;
        this.schema = schema;
        this.projection = projection;
        this.readPoint = readPoint;
    }

    /** Goes to the first visible version at or after {@code key}, which must not lie inside a row. Once, before all else. */
    boolean seek(Bytes key) throws BigtableException {
        standing = changes.seek(key);
        return findVisible();
    }

    /** Goes to the next visible version. */
    boolean next() throws BigtableException {
        step();
        return findVisible();
    }

    /** The version's cell key; shown until the next move. */
    Slice key() {
        return changes.key();
    }

    /** One object for all cells of a row. */
    Bytes row() {
        return row;
    }

    /** A copy, which stays. */
    Cell cell() {
        return new Cell(row, column.orElseThrow(), timestamp, changes.value().toBytes());
    }

    private boolean findVisible() throws BigtableException {
        while (standing) {
            long sequence = CellKey.sequenceOf(changes.key());
            if (sequence <= readPoint.sequence() && isWanted() && isVisible(sequence)) {
                return true;
            }
            step();
        }
        return false;
    }

    private void step() throws BigtableException {
        Optional<Bytes> target = skipTo;
        skipTo = Optional.empty();
        standing = changes.next();
        for (int i = 1; i < STEPS_BEFORE_SEEK && isBefore(target); i++) {
            standing = changes.next();
        }
        if (isBefore(target)) {
            standing = changes.seek(target.get());
        }
    }

    private boolean isBefore(Optional<Bytes> target) {
        return standing && target.isPresent() && changes.key().compareWith(target.get()) < 0;
    }

    /** Whether the read wants the column, or the row's or family's own keys; where it does not, the next step leaves them. */
    private boolean isWanted() throws CorruptionException {
        Slice key = changes.key();
        int here = CellKey.columnPrefixLength(key);
        if (here == prefix.length() && prefix.compareTo(key.array(), key.from(), key.from() + here) == 0) {
            return true;
        }
        CellKey entered = CellKey.decode(key.toBytes());
        prefix = Bytes.copyOf(key.array(), key.from(), here);
        level = entered.kind().level();
        if (!entered.row().equals(row)) {
            row = entered.row();
            family = entered.family();
            deletions.beginRow();
        } else if (entered.family() != family) {
            family = entered.family();
            deletions.beginFamily();
        } else {
            deletions.beginColumn();
        }
        return level == Level.ROW || enterFamily(entered.qualifier());
    }

    private boolean enterFamily(Optional<Bytes> qualifier) {
        Optional<FamilySchema> known = schema.family(family);
        if (known.isEmpty() || !projection.wants(family)) {
            skipTo = Optional.of(projection.afterFamily(row, family));
            return false;
        }
        return qualifier.isEmpty() || enterColumn(known.get(), qualifier.get());
    }

    private boolean enterColumn(FamilySchema known, Bytes qualifier) {
        if (!projection.wants(family, qualifier)) {
            skipTo = Optional.of(projection.afterColumn(row, family, qualifier));
            return false;
        }
        column = Optional.of(new ColumnKey(known.name(), qualifier));
        hasVersion = false;
        rule = rules.computeIfAbsent(family, id -> Garbage.of(known.garbage(), readPoint.nowMicros()));
        rule.beginColumn();
        return true;
    }

    private boolean isVisible(long sequence) throws CorruptionException {
        Slice key = changes.key();
        Kind kind = CellKey.kindOf(key);
        if (kind.level() != level) {
            throw new CorruptionException("cell key " + key + ": " + kind + " at the level of a " + level);
        }
        switch (kind) {
            case PUT, GHOST -> {
                return isVisiblePut(CellKey.timestampOf(key), sequence, kind == Kind.GHOST);
            }
            case DELETE_ROW -> deletions.addOfRow(sequence);
            case DELETE_FAMILY -> deletions.addOfFamily(sequence);
            case DELETE_COLUMN -> deletions.addOfColumn(sequence);
            case DELETE_VERSIONS -> deletions.addOfVersions(oldestHidden(), sequence);
            case DELETE_VERSION -> deletions.addOfVersions(CellKey.timestampOf(key), sequence);
            case MERGE, PUT_WITH_ATTRIBUTES ->
                throw new CorruptionException("cell key " + key + ": kind " + kind + " is beyond this version of bt");
        }
        return false;
    }

    private long oldestHidden() throws CorruptionException {
        Input in = Input.of("value of " + changes.key(), changes.value().toBytes());
        long oldest = in.bigU64("oldest hidden timestamp");
        in.end("it");
        return oldest;
    }

    /** The put of the highest sequence is the version; what it overwrote only counts. */
    private boolean isVisiblePut(long putTimestamp, long sequence, boolean isGhost) {
        if (sequence < deletions.columnEmptiedAt()) {
            return false;
        }
        boolean isVersion = !hasVersion || putTimestamp != timestamp;
        hasVersion = true;
        timestamp = putTimestamp;
        long deletedAt = deletions.deletedAt(putTimestamp, sequence);
        boolean garbage = rule.add(putTimestamp, sequence, deletedAt);
        if (rule.takesTheRest()) {
            skipTo = Optional.of(CellKey.endOf(prefix));
        }
        return isVersion && !isGhost && deletedAt == Deletions.NEVER && !garbage;
    }
}
