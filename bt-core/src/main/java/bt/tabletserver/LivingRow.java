package bt.tabletserver;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.metadata.LivingRows;
import bt.model.RowRange;
import bt.model.RowSet;
import bt.model.RowWalk;
import bt.tablet.Page;
import bt.tablet.PageLimits;
import bt.tablet.ReadSpec;
import bt.tablet.Tablet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Behind which row a tablet of METADATA is split: that of a tablet that there is. Behind any other a look-up could begin in the lower half,
 * and find its tablet's row in the upper one, a round trip later. Of the middle the next such row is taken, or the one before, whichever is nearer
 * to it; of a row that halves the requests, which may be no row of METADATA at all, the next: it answers them. One thread.
 */
final class LivingRow {
    private static final PageLimits ONE_ROW = new PageLimits(1, 1, 1 << 20);

    private final Tablet tablet;

    LivingRow(Tablet tablet) {
        this.tablet = tablet;
    }

    /** REJECTED where there is none. */
    Bytes choose(SplitRow where) throws BigtableException {
        Bytes wanted = where.choose(tablet);
        Optional<Bytes> next = first(RowWalk.over(RowRange.from(wanted)));
        if (where instanceof SplitRow.Given) {
            checkIsLiving(wanted, next);
            return wanted;
        }
        Optional<Bytes> before = first(new RowWalk(RowSet.of(RowRange.before(wanted)), true));
        List<Bytes> near = Stream.of(next, before)
                .flatMap(Optional::stream)
                .filter(tablet::canSplitAt)
                .toList();
        Optional<Bytes> chosen = where instanceof SplitRow.Middle middle
                ? fairest(near, middle.leastShare())
                : near.stream().findFirst();
        return chosen.orElseThrow(() -> where.refusal(tablet));
    }

    private void checkIsLiving(Bytes wanted, Optional<Bytes> next) throws RejectedException {
        if (!next.equals(Optional.of(wanted))) {
            throw new RejectedException(
                    tablet.subject() + " cannot be split at row " + wanted.brief()
                            + ": that is the row of no tablet that there is",
                    next.filter(tablet::canSplitAt)
                            .map(row -> "name one that is, the next is " + row.brief())
                            .orElse("name one that is"));
        }
    }

    /** Behind which something lies, too. */
    private Optional<Bytes> fairest(List<Bytes> rows, double leastShare) throws BigtableException {
        Optional<Bytes> best = Optional.empty();
        double bestShare = 0;
        for (Bytes row : rows) {
            double share = tablet.lesserShare(row);
            if (share > bestShare && share >= leastShare) {
                best = Optional.of(row);
                bestShare = share;
            }
        }
        return best;
    }

    private Optional<Bytes> first(RowWalk walk) throws BigtableException {
        RowWalk rest = walk.within(tablet.range());
        while (!rest.isEmpty()) {
            Page page = tablet.read(new ReadSpec(rest, LivingRows.FILTER, ONE_ROW, Optional.empty()));
            if (!page.cells().isEmpty()) {
                return Optional.of(page.cells().get(0).row());
            }
            rest = page.next().map(rest::from).orElse(RowWalk.NONE);
        }
        return Optional.empty();
    }
}
