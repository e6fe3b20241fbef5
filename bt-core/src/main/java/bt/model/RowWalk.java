package bt.model;

import bt.base.ByteRanges;
import bt.base.Bytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * A set of rows in the order in which they are read: upwards, or downwards from the last. Cells of one row come in the
 * same order either way. The paper has no such thing.
 *
 * <p>A walk stands at its {@link #next} row: the first that may come. Upwards that is where the first range begins.
 * Downwards a range ends before its end, which is rarely the successor of a row that can be named; then the end itself
 * stands for the rows below it. No tablet begins there, for tablets begin at successors, so it lies in the tablet in
 * which they lie. Where it goes on is said by its {@link #edge}.
 */
public record RowWalk(RowSet rows, boolean reversed) {
    /** No row, in whatever order. */
    public static final RowWalk NONE = new RowWalk(RowSet.NONE, false);

    /** The first row there can be. */
    private static final Bytes FIRST_ROW = Bytes.EMPTY.successor();

    /** The last row there can be: a walk down from the end of a table stands there. */
    private static final Bytes LAST_ROW = lastRow();

    /** The rows of a range, upwards. */
    public static RowWalk over(RowRange range) {
        return new RowWalk(RowSet.of(range), false);
    }

    /** Whether nothing is left of it. */
    public boolean isEmpty() {
        return rows.isEmpty();
    }

    /** Of a walk that is not empty: the first row that may come. Whoever serves it serves the rows that come first. */
    public Bytes next() {
        return reversed ? last(rows.end()) : rows.first();
    }

    /** Of a walk that has begun: what says where it goes on, to {@link #from}. */
    public Bytes edge() {
        return reversed ? rows.end().orElseThrow() : rows.first();
    }

    /** What is left when it goes on at an edge: upwards from there, included; downwards from there, excluded. */
    public RowWalk from(Bytes edge) {
        return within(reversed ? below(edge) : RowRange.from(edge));
    }

    /** The same of a walk that has begun, but no more than its first ranges: what one request asks for, of a large set. */
    public RowWalk from(Bytes edge, int mostRanges) {
        if (reversed && edge.equals(FIRST_ROW)) {
            return from(edge);
        }
        return new RowWalk(reversed ? rows.before(edge, mostRanges) : rows.from(edge, mostRanges), reversed);
    }

    /** What is left behind a row. */
    public RowWalk after(Bytes row) {
        return within(reversed ? below(row) : RowRange.after(row));
    }

    /** Not the empty key, which is no row's: below the first row there can be nothing is left. */
    private static RowRange below(Bytes edge) {
        return edge.equals(FIRST_ROW) ? RowRange.before(Bytes.EMPTY) : RowRange.before(edge);
    }

    /** What is left when it goes on at a row, included. */
    public RowWalk at(Bytes row) {
        return within(reversed ? RowRange.upTo(row) : RowRange.from(row));
    }

    /** What is left behind all rows of a tablet that it stands in. */
    public RowWalk beyond(RowRange tablet) {
        if (reversed) {
            return from(tablet.start());
        }
        return tablet.end().isPresent() ? from(tablet.end().get()) : NONE;
    }

    /** What of it lies in a range. */
    public RowWalk within(RowRange range) {
        return of(rows.intersect(range));
    }

    /** What of it lies in these. */
    public RowWalk within(ByteRanges some) {
        return of(rows.intersect(some));
    }

    @SuppressWarnings("ReferenceEquality") // Mostly it is what it was, and every read asks.
    private RowWalk of(RowSet left) {
        return left == rows ? this : new RowWalk(left, reversed);
    }

    /** The ranges in the order in which they come; the rows of each come in the walk's direction. */
    public List<RowRange> ranges() {
        if (!reversed || rows.ranges().size() < 2) {
            return rows.ranges();
        }
        List<RowRange> ranges = new ArrayList<>(rows.ranges());
        Collections.reverse(ranges);
        return ranges;
    }

    /** The last row before an end, as far as it has a name. */
    private static Bytes last(Optional<Bytes> end) {
        if (end.isEmpty()) {
            return LAST_ROW;
        }
        Bytes bytes = end.get();
        return !bytes.isEmpty() && bytes.at(bytes.length() - 1) == 0 ? bytes.slice(0, bytes.length() - 1) : bytes;
    }

    private static Bytes lastRow() {
        byte[] row = new byte[Limits.ROW_BYTES];
        Arrays.fill(row, (byte) 0xff);
        return Bytes.wrap(row);
    }
}
