package bt.model;

import bt.base.Bytes;
import java.util.Comparator;
import java.util.Optional;

/**
 * Names a tablet: its table and its end row, included; none for the table's last tablet. Where it begins is the end row
 * of the tablet before it, and is no part of the name: a split changes it.
 */
public record TabletId(long tableId, Optional<Bytes> endRow) implements Comparable<TabletId> {
    private static final Comparator<Optional<Bytes>> LAST_IS_HIGHEST =
            Comparator.comparing(end -> end.orElse(null), Comparator.nullsLast(Comparator.<Bytes>naturalOrder()));

    private static final Comparator<TabletId> ORDER =
            Comparator.comparingLong(TabletId::tableId).thenComparing(TabletId::endRow, LAST_IS_HIGHEST);

    /** The rows between the end row of the tablet before, excluded, and this tablet's, included. */
    public RowRange range(Optional<Bytes> previousEndRow) {
        return new RowRange(previousEndRow.map(Bytes::successor).orElse(Bytes.EMPTY), endRow.map(Bytes::successor));
    }

    @Override
    public int compareTo(TabletId that) {
        return ORDER.compare(this, that);
    }

    /** As in {@code 4/com.example} or {@code 4/…} for the last tablet. */
    @Override
    public String toString() {
        return tableId + "/" + endRow.map(Bytes::toString).orElse("…");
    }
}
