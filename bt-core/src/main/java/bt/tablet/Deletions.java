package bt.tablet;

import bt.base.CorruptionException;
import bt.base.Input;
import bt.base.Slice;
import java.util.Map;
import java.util.NavigableMap;
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

    /** Of the column's versions from {@code oldest} to the timestamp that the read has reached. */
    void addOfVersions(long oldest, long sequence) {
        // All changes of a bulk load have one sequence.
        ranges.merge(sequence, oldest, Math::min);
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
        while (!ranges.isEmpty()) {
            Map.Entry<Long, Long> first = ranges.higherEntry(sequence);
            if (first == null) {
                return NEVER;
            }
            if (first.getValue() <= timestamp) {
                return first.getKey();
            }
            // Of newer versions alone: it hides nothing that is still to come.
            ranges.remove(first.getKey());
        }
        return NEVER;
    }

    /** What the value of a deletion of versions says; its key has the newest timestamp that it hides. */
    static long oldestHidden(Slice key, Slice value) throws CorruptionException {
        Input in = Input.of("value of " + key, value.toBytes());
        long oldest = in.bigU64("oldest hidden timestamp");
        in.end("it");
        return oldest;
    }
}
