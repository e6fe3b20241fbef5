package bt.tablet;

import java.util.ArrayList;
import java.util.List;

/** The deletions that a read has met and that may hide what it meets next: of the row, the family, the column. One thread. */
final class Deletions {
    private final Sequences row = new Sequences();
    private final Sequences family = new Sequences();
    private final Sequences column = new Sequences();
    private final List<Range> ranges = new ArrayList<>();

    void beginRow() {
        row.clear();
        beginFamily();
    }

    void beginFamily() {
        family.clear();
        beginColumn();
    }

    void beginColumn() {
        column.clear();
        ranges.clear();
    }

    void addOfRow(long sequence) {
        row.add(sequence);
    }

    void addOfFamily(long sequence) {
        family.add(sequence);
    }

    void addOfColumn(long sequence) {
        column.add(sequence);
    }

    /** Of the column's versions from {@code oldest} to the timestamp that the read has reached. */
    void addOfVersions(long oldest, long sequence) {
        ranges.add(new Range(oldest, sequence));
    }

    /**
     * The sequence of the first deletion after the put that hides it; {@link Sequences#NEVER} when none does. Timestamps
     * must come in descending order.
     */
    long deletedAt(long timestamp, long sequence) {
        long first =
                Math.min(row.firstAbove(sequence), Math.min(family.firstAbove(sequence), column.firstAbove(sequence)));
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
