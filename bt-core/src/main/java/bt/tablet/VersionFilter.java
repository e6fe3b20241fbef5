package bt.tablet;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Input;
import bt.base.Output;
import bt.base.Slice;
import bt.model.Cell;
import bt.model.CellKey;
import bt.model.CellKey.Kind;
import bt.model.CellKey.Level;
import bt.model.ColumnKey;
import bt.model.FamilySchema;
import bt.model.GcRule;
import bt.model.LocalityGroup;
import bt.model.TableSchema;
import bt.sstable.Cursor;
import bt.sstable.ReadWork;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The versions that a read sees of a sorted run of changes: those with a sequence up to its read point, without what
 * deletions hide and what rules make garbage. Puts at one timestamp are one version, the highest sequence; a deletion
 * hides only lower sequences. Families that the schema has not are of a dropped name and are not shown. One read after the
 * other; one thread.
 */
final class VersionFilter {
    /** Tried before a seek, which costs about as much as so many steps. */
    private static final int STEPS_BEFORE_SEEK = 8;

    private static final Cursor NOTHING = new MergingCursor();

    private static final FamilySchema NO_FAMILY =
            new FamilySchema(1, "none", LocalityGroup.DEFAULT_NAME, GcRule.KEEP_ALL);

    private static final TableSchema NO_SCHEMA = TableSchema.draft("none").build();

    private final ColumnPlace place = new ColumnPlace();
    private final Deletions deletions = new Deletions();
    private final Rules rules = new Rules();

    private Cursor changes = NOTHING;
    private TableSchema schema = NO_SCHEMA;
    private Projection projection = Projection.EVERY;
    private long readSequence;
    private long nowMicros;

    /** What all keys of the row begin with that alone is read; empty where it is not one row. */
    private Bytes onlyRow = Bytes.EMPTY;

    /** What a change that is not shown costs beside its bytes. */
    private static final int HIDDEN_OVERHEAD_BYTES = 32;

    /** To be remembered from page to page of a row; where more would have to be, a page does not end. */
    static final int MAX_MET_BYTES = 64 << 10;

    private boolean standing;
    private boolean tired;
    private boolean insideRow;
    private Bytes lastPassed = Bytes.EMPTY;
    private long hiddenBytes;
    private long mostHiddenBytes = Long.MAX_VALUE;
    /** Where the next step leads at least: what lies before is not wanted. */
    private @Nullable Bytes skipTo;

    /** Whether it leads out of the column at least, where nothing says further; for each row that would be a key to make. */
    private boolean leavesColumn;

    private final PageValues values = new PageValues();
    private ReadWork work = ReadWork.ofThread();
    private FamilySchema family = NO_FAMILY;
    private Garbage rule = Rules.KEEP_ALL;
    /** Whether it stands in a column that is wanted. */
    private boolean inColumn;

    private boolean hasVersion;
    private long timestamp;
    /** Made when it is first asked for. */
    private @Nullable Cell cell;

    /** Goes before the first version of all the changes. */
    VersionFilter begin(Cursor ofRows, TableSchema following, Projection wanted) {
        work = ReadWork.ofThread();
        changes = ofRows;
        schema = following;
        projection = wanted;
        place.begin();
        deletions.beginRow();
        onlyRow = Bytes.EMPTY;
        standing = false;
        tired = false;
        insideRow = false;
        inColumn = false;
        hiddenBytes = 0;
        mostHiddenBytes = Long.MAX_VALUE;
        skipTo = null;
        leavesColumn = false;
        family = NO_FAMILY;
        rule = Rules.KEEP_ALL;
        cell = null;
        return this;
    }

    /** The read is of this row alone, whose keys begin with this: changes of the rows behind it are not its own. */
    VersionFilter ofRow(Bytes row, Bytes rowPrefix) {
        onlyRow = rowPrefix;
        place.beginRow(row, rowPrefix);
        return this;
    }

    /** Lets go of what it has read. */
    void end() {
        changes = NOTHING;
        schema = NO_SCHEMA;
        projection = Projection.EVERY;
        skipTo = null;
        lastPassed = Bytes.EMPTY;
        cell = null;
        values.end();
        place.begin();
        deletions.beginRow();
    }

    /** What is above this sequence is not seen. */
    void seeUpTo(long sequence) {
        readSequence = sequence;
    }

    /** Stops, before a row or inside one, when the changes that it has passed without showing them come to more. */
    void tireAfter(long hidden) {
        mostHiddenBytes = hidden;
    }

    /** What it has passed without showing it. */
    long hiddenBytes() {
        return hiddenBytes;
    }

    /** Whether it has stopped for that reason: before a row, or inside one. */
    boolean isTired() {
        return tired;
    }

    /** Of a walk that is tired: whether it has looked at some of its row. */
    boolean isInsideRow() {
        return insideRow;
    }

    /** The key of the change that it looked at last: the version's, if it stands at one. */
    Bytes lastKey() {
        return tired ? lastPassed : changes.key().toBytes();
    }

    /**
     * What it has met of the row and its column up to the last key that bears on what comes after; empty where that is too
     * much to go with a page.
     */
    Optional<Bytes> met() {
        Output out = new Output();
        deletions.save(out);
        out.u8(inColumn ? 1 : 0);
        if (inColumn) {
            out.u8(hasVersion ? 1 : 0).u64(timestamp);
            rule.save(out);
        }
        return out.size() > MAX_MET_BYTES ? Optional.empty() : Optional.of(out.toBytes());
    }

    /** Ages are judged by this time. */
    void judgeAgesAt(long micros) {
        nowMicros = micros;
        rules.begin(micros);
    }

    long readSequence() {
        return readSequence;
    }

    long nowMicros() {
        return nowMicros;
    }

    /** Goes to the first visible version. Once, before all else. */
    boolean first() throws BigtableException {
        standing = changes.seek(onlyRow);
        return findVisible();
    }

    /**
     * Is about to go behind this key, having {@link #met} this before. Once, before {@link #firstBehind}. CORRUPTION where
     * this was not met there.
     */
    void goOnAfter(Bytes key, Input before) throws CorruptionException {
        boolean wanted = isWanted(Slice.of(key));
        skipTo = wanted ? key.successor() : skipTo;
        deletions.restore(before);
        boolean wasInColumn = before.u8("whether in a column") == 1;
        if (wasInColumn != (wanted && place.level() == Level.COLUMN)) {
            throw before.corrupt("its column is another matter by now");
        }
        if (wasInColumn) {
            hasVersion = before.u8("whether there was a version") == 1;
            timestamp = before.u64("timestamp of the version");
            rule.restore(before);
        }
    }

    /** Goes to the first visible version behind where it is to go on. */
    boolean firstBehind() throws BigtableException {
        Bytes behind = skipTo;
        if (behind == null) {
            throw new IllegalStateException("the walk is not to go on anywhere");
        }
        skipTo = null;
        standing = changes.seek(behind);
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
        return place.row();
    }

    /** One object for all cells of a column in a row. */
    ColumnKey column() {
        return place.column(family);
    }

    /** The column that it is inside, if it has looked at anything of one that is wanted. */
    Optional<ColumnKey> columnInside() {
        return inColumn ? Optional.of(column()) : Optional.empty();
    }

    long timestamp() {
        return timestamp;
    }

    /** Shown until the next move. */
    Slice value() {
        return changes.value();
    }

    /** Of the cells that stay. */
    PageValues values() {
        return values;
    }

    /** Whoever reads is about to have so many bytes more until the page is sent. */
    void hold(long bytes) throws BigtableException {
        work.hold(bytes);
    }

    /** It stays, and with it perhaps what its value lies in. */
    Cell cell() {
        Cell made = cell;
        if (made == null) {
            made = new Cell(place.row(), column(), timestamp, values.of(changes.value()));
            cell = made;
        }
        return made;
    }

    /** Leaves out, with the next move, what a filter wants no more of. */
    void skip(Verdict verdict) {
        if (verdict == Verdict.DROP_COLUMN) {
            skipTo = place.endOfColumn();
        } else if (verdict == Verdict.DROP_ROW) {
            skipTo = CellKey.rowEnd(place.row());
        }
    }

    private boolean findVisible() throws BigtableException {
        cell = null;
        while (!tired && isStanding()) {
            Slice key = changes.key();
            long sequence = CellKey.sequenceOf(key);
            if (isWanted(key) && sequence <= readSequence && isVisible(sequence)) {
                work.take(changes.value().length());
                return true;
            }
            work.step();
            hiddenBytes +=
                    HIDDEN_OVERHEAD_BYTES + key.length() + changes.value().length();
            if (hiddenBytes <= mostHiddenBytes) {
                step();
            } else {
                rest();
            }
        }
        return false;
    }

    private boolean isStanding() {
        return standing && changes.key().startsWith(onlyRow);
    }

    /** Goes behind the change that it stands at, and no further, unless the walk ends there. */
    private void rest() throws BigtableException {
        lastPassed = changes.key().toBytes();
        step();
        if (!isStanding()) {
            return;
        }
        insideRow = place.isInRow(changes.key());
        tired = !insideRow || met().isPresent();
        if (!insideRow) {
            place.enter(changes.key());
        } else if (!tired) {
            // Not before as much again has been passed: to look for an end costs as much as there is to remember.
            mostHiddenBytes = 2 * hiddenBytes;
        }
    }

    private void step() throws BigtableException {
        Bytes target = skipTo;
        boolean leaves = leavesColumn;
        leavesColumn = false;
        standing = changes.next();
        if (target != null) {
            skipTo = null;
            stepTo(target);
        } else if (leaves) {
            leaveColumn();
        }
    }

    private void leaveColumn() throws BigtableException {
        for (int i = 1; i < STEPS_BEFORE_SEEK && isInsideColumn(); i++) {
            standing = changes.next();
        }
        if (isInsideColumn()) {
            standing = changes.seek(place.endOfColumn());
        }
    }

    private boolean isInsideColumn() {
        return standing && place.isInColumn(changes.key());
    }

    private void stepTo(Bytes target) throws BigtableException {
        for (int i = 1; i < STEPS_BEFORE_SEEK && isBefore(target); i++) {
            standing = changes.next();
        }
        if (isBefore(target)) {
            standing = changes.seek(target);
        }
    }

    private boolean isBefore(Bytes target) {
        return standing && changes.key().compareWith(target) < 0;
    }

    /** Whether the read wants the column, or the row's or family's own keys; where it does not, the next step leaves them. */
    private boolean isWanted(Slice key) throws CorruptionException {
        switch (place.enter(key)) {
            case NOTHING -> {
                return true;
            }
            case COLUMN -> deletions.beginColumn();
            case FAMILY -> deletions.beginFamily();
            case ROW -> deletions.beginRow();
        }
        inColumn = false;
        return place.level() == Level.ROW || enterFamily();
    }

    private boolean enterFamily() {
        Optional<FamilySchema> known = schema.family(place.family());
        if (known.isEmpty() || !projection.wants(place.family())) {
            skipTo = projection.afterFamily(place.row(), place.family());
            return false;
        }
        family = known.get();
        return place.level() == Level.FAMILY || enterColumn();
    }

    private boolean enterColumn() {
        if (!projection.wants(place.family(), place.qualifier())) {
            skipTo = projection.afterColumn(place.row(), place.family(), place.qualifier());
            return false;
        }
        inColumn = true;
        hasVersion = false;
        rule = rules.beginColumn(family);
        return true;
    }

    private boolean isVisible(long sequence) throws CorruptionException {
        Slice key = changes.key();
        Kind kind = CellKey.kindOf(key);
        if (kind.level() != place.level()) {
            throw new CorruptionException("cell key " + key + ": " + kind + " at the level of a " + place.level());
        }
        switch (kind) {
            case PUT, GHOST -> {
                return isVisiblePut(CellKey.timestampOf(key), sequence, kind == Kind.GHOST);
            }
            case DELETE_ROW -> deletions.addOfRow(sequence);
            case DELETE_FAMILY -> deletions.addOfFamily(sequence);
            case DELETE_COLUMN -> deletions.addOfColumn(sequence);
            case DELETE_VERSIONS ->
                deletions.addOfVersions(
                        Deletions.oldestHidden(key, changes.value()), CellKey.timestampOf(key), sequence);
            case DELETE_VERSION -> {
                long deleted = CellKey.timestampOf(key);
                deletions.addOfVersions(deleted, deleted, sequence);
            }
            case MERGE, PUT_WITH_ATTRIBUTES ->
                throw new CorruptionException("cell key " + key + ": kind " + kind + " is beyond this version of bt");
        }
        return false;
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
        leavesColumn = rule.takesTheRest();
        return isVersion && !isGhost && deletedAt == Deletions.NEVER && !garbage;
    }
}
