package bt.tablet;

import bt.base.CorruptionException;
import bt.base.Input;
import bt.base.Output;
import bt.base.Slice;
import java.util.Comparator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.PriorityQueue;
import java.util.TreeMap;

/** The deletions that a read has met and that may hide what it meets next: of the row, the family, the column. One thread. */
final class Deletions {
    /** Above every sequence. */
    static final long NEVER = Long.MAX_VALUE;

    private long row;
    private long family;
    private long column;
    /** Of versions: the oldest timestamp that each hides, by the sequence of the deletion. */
    private final NavigableMap<Long, Long> ranges = new TreeMap<>();

    /** The same by the oldest timestamp, the newest first; with some that are in no range any more. */
    private final PriorityQueue<Range> byOldest =
            new PriorityQueue<>(Comparator.comparingLong(Range::oldest).reversed());

    private record Range(long oldest, long sequence) {}

    void beginRow() {
        row = 0;
        beginFamily();
    }

    void beginFamily() {
        family = 0;
        beginColumn();
    }

    void beginColumn() {
        column = 0;
        ranges.clear();
        byOldest.clear();
    }

    void addOfRow(long sequence) {
        row = Math.max(row, sequence);
    }

    void addOfFamily(long sequence) {
        family = Math.max(family, sequence);
    }

    void addOfColumn(long sequence) {
        column = Math.max(column, sequence);
    }

    /** Of the column's versions from {@code oldest} to {@code newest}, the timestamp that the read has reached. */
    void addOfVersions(long oldest, long newest, long sequence) {
        forgetNewerThan(newest);
        // All changes of a bulk load have one sequence.
        ranges.merge(sequence, oldest, Math::min);
        byOldest.add(new Range(oldest, sequence));
    }

    /** Timestamps come in descending order: what hides newer versions alone hides nothing that is still to come. */
    private void forgetNewerThan(long timestamp) {
        for (Range range = byOldest.peek(); range != null && range.oldest > timestamp; range = byOldest.peek()) {
            ranges.remove(range.sequence, range.oldest);
            byOldest.remove();
        }
    }

    /** How many deletions of versions may still hide something. */
    int ofVersions() {
        return ranges.size();
    }

    /** The last deletion of the whole row. */
    long rowEmptiedAt() {
        return row;
    }

    /** The last deletion of the whole family, or of its row. */
    long familyEmptiedAt() {
        return Math.max(row, family);
    }

    /**
     * The last deletion of the whole column, or of its family or row: what was written before is as if it had never been,
     * for it is hidden itself, and so is every version that it could have counted against.
     */
    long columnEmptiedAt() {
        return Math.max(familyEmptiedAt(), column);
    }

    /**
     * When the put, which was written after {@link #columnEmptiedAt}, was deleted: the sequence of the first deletion of
     * versions after it that covers it, {@link #NEVER} when none does. Timestamps must come in descending order.
     */
    long deletedAt(long timestamp, long sequence) {
        forgetNewerThan(timestamp);
        Long first = ranges.higherKey(sequence);
        return first == null ? NEVER : first;
    }

    /**
     * What {@link #restore} needs, of which the last part is as long as there are deletions of versions: of each the
     * differences of its numbers from those of the one before.
     */
    void save(Output out) {
        out.varint(row).varint(family).varint(column).varint(ranges.size());
        long lastSequence = -1;
        long lastOldest = 0;
        for (Map.Entry<Long, Long> range : ranges.entrySet()) {
            out.varint(range.getKey() - lastSequence - 1).signedVarint(range.getValue() - lastOldest);
            lastSequence = range.getKey();
            lastOldest = range.getValue();
        }
    }

    /** Goes on as others did that were saved. */
    void restore(Input in) throws CorruptionException {
        beginRow();
        row = in.varint("deletion of the row");
        family = in.varint("deletion of the family");
        column = in.varint("deletion of the column");
        long sequence = -1;
        long oldest = 0;
        for (int left = in.length("deletions of versions", in.remaining()); left > 0; left--) {
            long last = sequence;
            sequence += 1 + in.varint("deletion of versions");
            oldest += in.signedVarint("oldest hidden timestamp");
            if (sequence <= last) {
                throw in.corrupt("a deletion of versions at " + sequence + " after " + last);
            }
            ranges.put(sequence, oldest);
            byOldest.add(new Range(oldest, sequence));
        }
    }

    /** What the value of a deletion of versions says; its key has the newest timestamp that it hides. */
    static long oldestHidden(Slice key, Slice value) throws CorruptionException {
        Input in = Input.of("value of " + key, value.toBytes());
        long oldest = in.bigU64("oldest hidden timestamp");
        in.end("it");
        return oldest;
    }
}
