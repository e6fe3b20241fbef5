package bt.client;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.metadata.TabletPlace;
import bt.model.RowRange;
import bt.model.RowSet;
import bt.model.RowWalk;
import bt.model.TableSchema;
import bt.protocol.NamedRows;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A walk cut into parts: the rows and ranges that begin in one tablet, which are asked for together. One thread. */
final class ScanParts {
    /** Of one request: from a slow disk they are read within the time that it waits. */
    static final int RANGES_OF_A_PART = 200;

    private final Session session;
    private final TableSchema table;
    private final boolean reversed;
    private final List<RowRange> ranges;
    private int begun;

    ScanParts(Session session, TableSchema table, RowWalk walk) {
        this.session = session;
        this.table = table;
        this.reversed = walk.reversed();
        this.ranges = walk.ranges();
    }

    boolean hasNext() {
        return begun < ranges.size();
    }

    /** The next, where it may be necessary to look up its tablet. */
    RowWalk next() throws BigtableException, InterruptedException {
        if (begun == 0) {
            NamedRows.check(table, ranges);
        }
        if (begun == ranges.size() - 1) {
            return take(1);
        }
        return take(size(session.retry()
                .run(
                        () -> "table " + table.name(),
                        session.pageDeadline(),
                        deadline -> session.locate(table, first(begun), deadline))));
    }

    /** The next, if it is known which tablet it begins in. */
    Optional<RowWalk> nextIfLocated() {
        return session.locator().cached(table.id(), first(begun)).map(place -> take(size(place)));
    }

    /** The edge of what is behind the parts taken so far, one at least; empty when that is nothing. */
    Optional<Bytes> edge() {
        return hasNext() ? Optional.of(walk(begun, 1).edge()) : Optional.empty();
    }

    private RowWalk take(int size) {
        begun += size;
        return walk(begun - size, size);
    }

    /** How many ranges begin in the tablet. */
    private int size(TabletPlace place) {
        int end = begun + 1;
        while (end < ranges.size()
                && end - begun < RANGES_OF_A_PART
                && place.range().contains(first(end))) {
            end++;
        }
        return end - begun;
    }

    private Bytes first(int range) {
        return walk(range, 1).next();
    }

    private RowWalk walk(int from, int count) {
        return new RowWalk(new RowSet(new ArrayList<>(ranges.subList(from, from + count))), reversed);
    }
}
