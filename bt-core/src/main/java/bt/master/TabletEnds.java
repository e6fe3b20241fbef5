package bt.master;

import bt.base.Bytes;
import bt.model.TabletId;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

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

    /** A tablet by the end rows of the one before and of itself. */
    record Bounds(Optional<Bytes> previousEndRow, Optional<Bytes> endRow) {}

    Bounds holding(Bytes row) {
        return new Bounds(Optional.ofNullable(rows.lower(row)), Optional.ofNullable(rows.ceiling(row)));
    }

    /** The tablet that comes after this end row; the first one after none. */
    Bounds behind(Optional<Bytes> endRow) {
        return new Bounds(
                endRow,
                endRow.map(end -> Optional.ofNullable(rows.higher(end)))
                        .orElseGet(() -> rows.isEmpty() ? Optional.empty() : Optional.of(rows.first())));
    }

    int countBehind(Optional<Bytes> endRow) {
        return 1 + endRow.map(end -> rows.tailSet(end, false)).orElse(rows).size();
    }

    /** The tablets that end before the last of these rows, and not before the first: of whom a merge makes one with the next. */
    int countWithin(Bytes first, Bytes last) {
        return rows.subSet(first, true, last, false).size();
    }
}
