package bt.master;

import bt.base.Bytes;
import bt.model.TabletId;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Where the tablets of a table end, but for the last one: the whole chain of them, as a pass has seen it. */
record TabletEnds(NavigableSet<Bytes> rows) {

    /** Empty where the last tablet is not among them: then they are not all. */
    static Optional<TabletEnds> of(Set<TabletId> tablets) {
        NavigableSet<Bytes> rows = new TreeSet<>();
        boolean hasLast = false;
        for (TabletId tablet : tablets) {
            tablet.endRow().ifPresent(rows::add);
            hasLast |= tablet.endRow().isEmpty();
        }
        return hasLast ? Optional.of(new TabletEnds(rows)) : Optional.empty();
    }

    /** With tablets of these that have been split since. */
    TabletEnds with(Set<Bytes> more) {
        NavigableSet<Bytes> all = new TreeSet<>(rows);
        all.addAll(more);
        return new TabletEnds(all);
    }

    /** A tablet by the end rows of the one before and of itself. */
    record Bounds(Optional<Bytes> previousEndRow, Optional<Bytes> endRow) {}

    Bounds holding(Bytes row) {
        return new Bounds(Optional.ofNullable(rows.lower(row)), Optional.ofNullable(rows.ceiling(row)));
    }

    /** The tablet that has the rows that come next behind this one; the first one behind none. It may begin before. */
    Bounds behind(Optional<Bytes> row) {
        return row.map(passed ->
                        new Bounds(Optional.ofNullable(rows.floor(passed)), Optional.ofNullable(rows.higher(passed))))
                .orElseGet(() ->
                        new Bounds(Optional.empty(), rows.isEmpty() ? Optional.empty() : Optional.of(rows.first())));
    }

    int countBehind(Optional<Bytes> endRow) {
        return 1 + endRow.map(end -> rows.tailSet(end, false)).orElse(rows).size();
    }

    /** Where the tablets end that hold rows from one to another, both included. */
    Stream<Optional<Bytes>> holders(Bytes first, Bytes last) {
        return Stream.concat(
                rows.subSet(first, true, last, false).stream().map(Optional::of),
                Stream.of(Optional.ofNullable(rows.ceiling(last))));
    }

    /** Whether there is one of {@link #countWithin}. */
    boolean hasWithin(Bytes first, Bytes last) {
        return !rows.subSet(first, true, last, false).isEmpty();
    }

    /** The tablets that end before the last of these rows, and not before the first: of whom a merge makes one with the next. */
    int countWithin(Bytes first, Bytes last) {
        return rows.subSet(first, true, last, false).size();
    }
}
