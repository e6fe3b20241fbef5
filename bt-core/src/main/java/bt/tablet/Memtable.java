package bt.tablet;

import static bt.base.Check.checkState;

import bt.base.Bytes;
import bt.base.Slice;
import bt.model.CellKey;
import bt.model.FamilySchema;
import bt.model.TableSchema;
import bt.sstable.Cursor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Recent changes, sorted, in few large arrays. The tablet's owner thread writes; any number of threads read
 * beside it without a lock, and see a change at the latest when the tablet's read point has passed it. One that takes no
 * more writes stays readable while it is written to files.
 */
final class Memtable {
    private final SkipList entries = new SkipList();
    private final FamilyCounts families = new FamilyCounts();
    private final HeldInMemtable held = new HeldInMemtable(families);
    private final Slice written = new Slice();
    /** The owner's, until the memtable is frozen: whoever is given it then sees them. */
    private long smallestSequence = Long.MAX_VALUE;

    private long largestSequence;
    private long highestServerTimestamp;

    /** The owner's to write. */
    private volatile @Nullable TableSchema first;

    /** A change is about to come: it is counted by this schema's groups, where none was before it. Only the owner thread. */
    void begin(TableSchema schema) {
        if (first == null) {
            first = schema;
        }
    }

    /** The schema under which it got its first change; the present one while it has none. */
    TableSchema first(TableSchema present) {
        TableSchema began = first;
        return began == null ? present : began;
    }

    /** Only the owner thread. */
    void apply(ResolvedMutation mutation) {
        int rowLength =
                CellKey.rowPrefixLength(Slice.of(mutation.entries().get(0).key()));
        for (Entry entry : mutation.entries()) {
            long before = entries.used();
            int node = entries.insert(entry.key(), entry.value());
            if (entries.used() == before) {
                // A log may hold a change twice: appended again, or read from two segments.
                entries.showValue(node, written);
                checkState(written.compareWith(entry.value()) == 0, "two changes have the key %s", entry.key());
            } else {
                entries.showKey(node, written);
                int family = CellKey.familyOf(written, rowLength);
                families.add(family, entries.used() - before, change(mutation), mutation.timestamp());
            }
        }
        smallestSequence = Math.min(smallestSequence, mutation.firstSequence());
        largestSequence = Math.max(largestSequence, mutation.lastSequence());
        highestServerTimestamp = Math.max(highestServerTimestamp, mutation.timestamp());
    }

    /** By the key that was written last. */
    private FamilyCounts.Change change(ResolvedMutation mutation) {
        if (CellKey.isDeletion(written)) {
            return FamilyCounts.Change.DELETION;
        }
        boolean atServerTime = CellKey.timestampOf(written) == mutation.timestamp();
        return atServerTime ? FamilyCounts.Change.PUT : FamilyCounts.Change.TIMED_PUT;
    }

    /** All that it holds now. Only the owner thread, or who has it frozen. */
    Changes changes() {
        return new Changes(entries, families.times(), highestServerTimestamp);
    }

    boolean isEmpty() {
        return entries.next(SkipList.NONE) == SkipList.NONE;
    }

    /** What it holds of the heap: its entries, and what is counted of families, of which each may have a single short cell. */
    long bytes() {
        return entries.bytes() + families.bytes();
    }

    /** What it has changes of, or is about to get some of. */
    HeldInMemtable held() {
        return held;
    }

    /** Those that it has changes of. */
    List<Integer> families() {
        return families.sizes().stream().map(FamilySize::family).toList();
    }

    /** What of its entries each family takes that has changes here. */
    List<FamilySize> familySizes() {
        return families.sizes();
    }

    /** Since when it has changes of each family that has any here. */
    List<ChangeTimes> times() {
        return families.times();
    }

    long smallestSequence() {
        return smallestSequence;
    }

    long largestSequence() {
        return largestSequence;
    }

    long highestServerTimestamp() {
        return highestServerTimestamp;
    }

    /** Whether a change of the row is above this sequence; what is logged of writes that change nothing is none. */
    boolean hasChangedSince(long sequence, Bytes row) {
        if (largestSequence <= sequence) {
            return false;
        }
        Bytes prefix = CellKey.rowPrefix(row);
        byte[] rowKey = prefix.toArray();
        Slice key = new Slice();
        for (int node = entries.findAtOrAfter(prefix); node != SkipList.NONE; node = entries.next(node)) {
            entries.showKey(node, key);
            if (!key.startsWith(rowKey, rowKey.length)
                    || CellKey.familyOf(key, rowKey.length) == FamilySchema.OF_SERVERS) {
                // That family is the last of the row.
                return false;
            }
            if (CellKey.sequenceOf(key) > sequence) {
                return true;
            }
        }
        return false;
    }

    Cursor cursor() {
        return cursor(new MemtableCursor());
    }

    /** The one that is given, at work here. */
    Cursor cursor(MemtableCursor spare) {
        return spare.enter(entries);
    }
}
