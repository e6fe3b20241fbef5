package bt.tablet;

import java.util.ArrayList;
import java.util.List;

/** The deletions that a read has met and that may hide what it meets next: of the row, the family, the column. One thread. */
final class Deletions {
    /** Above every sequence. */
    static final long NEVER = Long.MAX_VALUE;

    private long row;
    private long family;
    private long column;
    private final List<Range> ranges = new ArrayList<>();

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
        ranges.add(new Range(oldest, sequence));
    }

    /**
     * When the put was deleted: the sequence of a deletion after it that hides it, {@link #NEVER} when none does.
     * Timestamps must come in descending order. Of several deletions it is the first, for that is when the put stops to
     * count against versions written later; of those that hide the whole column the last does as well, because a version
     * written before the last of them is itself hidden, and one written after it came after the first too.
     */
    long deletedAt(long timestamp, long sequence) {
        long ofAll = Math.max(row, Math.max(family, column));
        long first = ofAll > sequence ? ofAll : NEVER;
        ranges.removeIf(range -> range.oldest > timestamp);
        for (Range range : ranges) {
            if (range.sequence > sequence) {
                first = Math.min(first, range.sequence);
            }
        }
        return first;
    }

    private record Range(long oldest, long sequence) {}
}
