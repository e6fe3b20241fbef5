package bt.model;

import bt.base.Bytes;
import java.util.Optional;

/**
 * Names a tablet: its table and its end row, included; none for the table's last tablet. Where it begins is the end row
 * of the tablet before it, and is no part of the name: a split changes it. Section 5.1 of the paper: the key of its
 * METADATA row.
 */
public record TabletId(long tableId, Optional<Bytes> endRow) implements Comparable<TabletId> {
    /** The rows between the end row of the tablet before, excluded, and this tablet's, included. */
    public RowRange range(Optional<Bytes> previousEndRow) {
        return new RowRange(previousEndRow.map(Bytes::successor).orElse(Bytes.EMPTY), endRow.map(Bytes::successor));
    }

    /** By table, then by end row; the last tablet of a table is its highest. */
    @Override
    public int compareTo(TabletId that) {
        // A server does this some times for every write: chains of comparators took a third of its commit thread.
        int byTable = Long.compare(tableId, that.tableId);
        if (byTable != 0 || endRow.isEmpty() || that.endRow.isEmpty()) {
            return byTable != 0 ? byTable : Boolean.compare(endRow.isEmpty(), that.endRow.isEmpty());
        }
        return endRow.get().compareTo(that.endRow.get());
    }

    /** For whoever knows tables by their names: as in {@code the tablet that ends with row com.example}. */
    public String inWords() {
        return endRow.map(end -> "the tablet that ends with row " + end.brief()).orElse("the last tablet");
    }

    /** What it holds, for whoever knows tables by their names: as in {@code rows behind com.a up to com.m}. */
    public String rows(Optional<Bytes> previousEndRow) {
        return "rows " + previousEndRow.map(end -> "behind " + end.brief()).orElse("from the first") + " " + end();
    }

    /** The same where nobody knows with which row it begins: as in {@code rows up to com.m}. */
    public String rows() {
        return "rows " + end();
    }

    private String end() {
        return endRow.map(end -> "up to " + end.brief()).orElse("to the last");
    }

    /** As in {@code webtable/com.example}: what {@link #toString} is with the name of the table. */
    public String inTable(String name) {
        return name + "/" + endRow.map(Bytes::brief).orElse("…");
    }

    /** As in {@code 4/com.example}, a long end row {@link Bytes#brief in brief}, or {@code 4/…} for the last tablet. */
    @Override
    public String toString() {
        return inTable(Long.toString(tableId));
    }
}
