package bt.base;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A set of byte strings as ranges: in order, each ending before the next begins, so that one set has one form. The
 * paper has no such thing.
 */
public record ByteRanges(List<ByteRange> ranges) {
    /** Every byte string. */
    public static final ByteRanges ALL = new ByteRanges(List.of(ByteRange.ALL));

    /** No byte string. */
    public static final ByteRanges NONE = new ByteRanges(List.of());

    private static final Comparator<ByteRange> BY_FIRST = Comparator.comparing(ByteRange::from);

    /** What lies in any of them, which may overlap and stand in any order. */
    public ByteRanges {
        ranges = joined(ranges);
    }

    /** What lies in one range. */
    public static ByteRanges of(ByteRange range) {
        return new ByteRanges(List.of(range));
    }

    /** Whether every byte string is in it. */
    @SuppressWarnings("ReferenceEquality") // Every read asks, and most have just this one.
    public boolean isAll() {
        return this == ALL || ranges.equals(List.of(ByteRange.ALL));
    }

    /** Whether no byte string is in it. */
    public boolean isEmpty() {
        return ranges.isEmpty();
    }

    /** What lies in this set or in that. */
    public ByteRanges union(ByteRanges that) {
        return new ByteRanges(
                Stream.concat(ranges.stream(), that.ranges.stream()).toList());
    }

    /** What lies in this set and in that. */
    public ByteRanges intersect(ByteRanges that) {
        if (isAll() || that.isAll()) {
            return isAll() ? that : this;
        }
        List<ByteRange> both = new ArrayList<>();
        int ofThis = 0;
        int ofThat = 0;
        while (ofThis < ranges.size() && ofThat < that.ranges.size()) {
            ByteRange a = ranges.get(ofThis);
            ByteRange b = that.ranges.get(ofThat);
            Bytes from = a.from().compareTo(b.from()) >= 0 ? a.from() : b.from();
            boolean endsFirst = endsBefore(a, b);
            Optional<Bytes> to = endsFirst ? a.to() : b.to();
            if (to.isEmpty() || from.compareTo(to.get()) < 0) {
                both.add(new ByteRange(from, to));
            }
            if (endsFirst) {
                ofThis++;
            } else {
                ofThat++;
            }
        }
        return new ByteRanges(both);
    }

    /** What does not lie in this set. */
    public ByteRanges complement() {
        List<ByteRange> rest = new ArrayList<>();
        Optional<Bytes> from = Optional.of(Bytes.EMPTY);
        for (ByteRange range : ranges) {
            // Nothing lies before the first where it begins with the empty string.
            from.filter(begin -> begin.compareTo(range.from()) < 0)
                    .ifPresent(begin -> rest.add(ByteRange.of(begin, range.from())));
            from = range.to();
        }
        from.ifPresent(begin -> rest.add(new ByteRange(begin, Optional.empty())));
        return new ByteRanges(rest);
    }

    /** Whether it is in the set; by bisection. */
    public boolean contains(Bytes bytes) {
        return ceiling(bytes).equals(Optional.of(bytes));
    }

    /** The first of the set from here on. */
    public Optional<Bytes> ceiling(Bytes bytes) {
        int low = 0;
        int high = ranges.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            Optional<Bytes> end = ranges.get(middle).to();
            if (end.isPresent() && end.get().compareTo(bytes) <= 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        if (low == ranges.size()) {
            return Optional.empty();
        }
        Bytes first = ranges.get(low).from();
        return Optional.of(first.compareTo(bytes) >= 0 ? first : bytes);
    }

    private static boolean endsBefore(ByteRange a, ByteRange b) {
        return a.to().isPresent() && (b.to().isEmpty() || a.to().get().compareTo(b.to().get()) <= 0);
    }

    private static List<ByteRange> joined(List<ByteRange> some) {
        if (some.size() < 2) {
            return List.copyOf(some);
        }
        List<ByteRange> joined = new ArrayList<>();
        for (ByteRange next : some.stream().sorted(BY_FIRST).toList()) {
            int last = joined.size() - 1;
            if (last >= 0 && touches(joined.get(last), next)) {
                ByteRange before = joined.get(last);
                joined.set(last, new ByteRange(before.from(), endsBefore(before, next) ? next.to() : before.to()));
            } else {
                joined.add(next);
            }
        }
        return List.copyOf(joined);
    }

    /** Whether the second, which begins no earlier, begins in the first or right behind it. */
    private static boolean touches(ByteRange before, ByteRange next) {
        return before.to().isEmpty() || next.from().compareTo(before.to().get()) <= 0;
    }
}
