package bt.model;

import bt.base.ByteRange;
import bt.base.ByteRanges;
import bt.base.Bytes;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Rows to be read, single ones and ranges: in order, and joined where they touch, so that one set has one form. The
 * paper has no such thing.
 */
public record RowSet(List<RowRange> ranges) {
    /** Every row. */
    public static final RowSet ALL = new RowSet(List.of(RowRange.ALL));

    /** No row. */
    public static final RowSet NONE = new RowSet(List.of());

    /** What lies in any of the ranges, which may overlap, be empty, and stand in any order. */
    public RowSet {
        ranges = joined(ranges);
    }

    /** What lies in any of these, each row once. */
    public static RowSet of(RowRange... ranges) {
        return new RowSet(List.of(ranges));
    }

    /** These rows alone. */
    public static RowSet rows(Collection<Bytes> rows) {
        return new RowSet(rows.stream().map(RowRange::row).toList());
    }

    /** Of where its ranges begin and end. */
    public long bytes() {
        long bytes = 0;
        for (RowRange range : ranges) {
            bytes += range.start().length() + range.end().map(Bytes::length).orElse(0);
        }
        return bytes;
    }

    /** Whether there is no row that could be in it. */
    public boolean isEmpty() {
        return ranges.isEmpty();
    }

    /** Whether it is one row: nothing else can be in it. */
    public boolean isOneRow() {
        return ranges.size() == 1 && ranges.get(0).isOneRow();
    }

    /** Whether the row is one of the set. */
    public boolean contains(Bytes row) {
        int first = leading(range -> endsAtOrBefore(range, row));
        return first < ranges.size() && ranges.get(first).contains(row);
    }

    /** What lies in this set or in that. */
    public RowSet union(RowSet that) {
        return new RowSet(Stream.concat(ranges.stream(), that.ranges.stream()).toList());
    }

    /** What of the set lies in the range; of a set of any size for little more than what that is. */
    @SuppressWarnings("ReferenceEquality") // Mostly the one range lies in the other, and every read asks.
    public RowSet intersect(RowRange range) {
        if (ranges.size() == 1) {
            RowRange both = ranges.get(0).intersect(range);
            return both == ranges.get(0) ? this : both.isEmpty() ? NONE : of(both);
        }
        int first = leading(each -> endsAtOrBefore(each, range.start()));
        int behind = range.end()
                .map(end -> leading(each -> each.start().compareTo(end) < 0))
                .orElse(ranges.size());
        return new RowSet(ranges.subList(first, Math.max(first, behind)).stream()
                .map(each -> each.intersect(range))
                .toList());
    }

    /** What of the set lies in these. */
    public RowSet intersect(ByteRanges rows) {
        return rows.isAll() ? this : of(bytes(ranges).intersect(rows));
    }

    /** The first ranges of what lies from here on, so many at most; of a set of any size for little. */
    RowSet from(Bytes start, int most) {
        int first = leading(range -> endsAtOrBefore(range, start));
        int end = first + Math.min(most, ranges.size() - first);
        return new RowSet(ranges.subList(first, end)).intersect(RowRange.from(start));
    }

    /** The last ranges of what lies before here, so many at most; of a set of any size for little. */
    RowSet before(Bytes end, int most) {
        int behind = leading(range -> range.start().compareTo(end) < 0);
        return new RowSet(ranges.subList(Math.max(0, behind - most), behind)).intersect(RowRange.before(end));
    }

    private static boolean endsAtOrBefore(RowRange range, Bytes row) {
        return range.end().isPresent() && range.end().get().compareTo(row) <= 0;
    }

    /** How many ranges there are of which this is so, which stand before all others. */
    private int leading(Predicate<RowRange> isSo) {
        int low = 0;
        int high = ranges.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (isSo.test(ranges.get(middle))) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private static List<RowRange> joined(List<RowRange> some) {
        // What was cut from another set is, and of sets of a hundred thousand rows much is cut.
        if (isJoined(some)) {
            return List.copyOf(some);
        }
        return ranges(bytes(some.stream().filter(range -> !range.isEmpty()).toList()));
    }

    private static boolean isJoined(List<RowRange> some) {
        for (int i = 0; i < some.size(); i++) {
            RowRange range = some.get(i);
            if (range.isEmpty() || (i > 0 && !endsBefore(some.get(i - 1), range))) {
                return false;
            }
        }
        return true;
    }

    /** Whether there is something between the two. */
    private static boolean endsBefore(RowRange range, RowRange next) {
        return range.end().isPresent() && range.end().get().compareTo(next.start()) < 0;
    }

    private static RowSet of(ByteRanges rows) {
        return new RowSet(ranges(rows));
    }

    private static ByteRanges bytes(List<RowRange> some) {
        return new ByteRanges(some.stream()
                .map(range -> new ByteRange(range.start(), range.end()))
                .toList());
    }

    private static List<RowRange> ranges(ByteRanges rows) {
        return rows.ranges().stream()
                .map(range -> new RowRange(range.from(), range.to()))
                .toList();
    }

    /** Of a set that is not empty: the first row that can be in it. */
    Bytes first() {
        return ranges.get(0).start();
    }

    /** Of a set that is not empty: where its last range ends. */
    Optional<Bytes> end() {
        return ranges.get(ranges.size() - 1).end();
    }
}
