package bt.master;

import bt.base.Clock;
import bt.master.Merges.Wish;
import bt.model.RowRange;
import bt.record.Phase;
import bt.record.TabletReport;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Finds neighbours that are small enough to be one tablet and have been so for a while. What makes them small is far below
 * what makes a tablet split, in bytes and in requests, so that nothing is merged and split in turn. A row that a user gave stays the end of a tablet.
 * Owned by the master's thread.
 */
final class SmallTablets {
    private final MergeConfig config;
    private final FairShare share;
    private final Clock clock;
    private final Map<Wish, Long> smallSince = new HashMap<>();

    SmallTablets(MergeConfig config, FairShare share, Clock clock) {
        this.config = config;
        this.share = share;
        this.clock = clock;
    }

    /** Two of these, which come in the order of their keys, that should be one tablet: those first that have been small for longest. */
    Optional<Wish> neighbours(Iterable<KnownTablet> tablets, Sight sight) {
        long busy = share.perMinute(sight);
        Map<Wish, Long> small = new HashMap<>();
        KnownTablet lower = null;
        for (KnownTablet upper : tablets) {
            if (lower != null && areSmall(lower, upper, sight) && areIdle(lower, upper, busy, sight)) {
                RowRange both =
                        new RowRange(lower.range().start(), upper.range().end());
                Wish wish = new Wish(lower.id().tableId(), both);
                small.put(wish, smallSince.getOrDefault(wish, clock.nanos()));
            }
            lower = upper;
        }
        smallSince.clear();
        smallSince.putAll(small);
        return smallSince.entrySet().stream()
                .filter(entry -> clock.nanos() - entry.getValue() >= config.afterMillis() * 1_000_000)
                .min(Map.Entry.<Wish, Long>comparingByValue()
                        .thenComparing(entry -> entry.getKey().tableId())
                        .thenComparing(entry -> entry.getKey().rows().start()))
                .map(Map.Entry::getKey);
    }

    /** They could not be merged: they are looked at as if they had just become small. */
    void beginAnew(Wish wish) {
        smallSince.remove(wish);
    }

    private boolean areSmall(KnownTablet lower, KnownTablet upper, Sight sight) {
        return lower.id().tableId() == upper.id().tableId()
                && upper.previousEndRow().equals(lower.id().endRow())
                && !lower.keepsEndRow()
                && lower.fileBytes() + upper.fileBytes() < config.bytes()
                && bytes(lower, sight) + bytes(upper, sight) < config.bytes();
    }

    /** Or they would be split again for being too busy. */
    private static boolean areIdle(KnownTablet lower, KnownTablet upper, long busy, Sight sight) {
        return busy == 0 || requests(lower, sight) + requests(upper, sight) < busy / 2;
    }

    private static long requests(KnownTablet tablet, Sight sight) {
        return report(tablet, sight).map(TabletReport::getRequestsPerMinute).orElse(0L);
    }

    private static Optional<TabletReport> report(KnownTablet tablet, Sight sight) {
        return sight.holder(tablet.epoch())
                .flatMap(holder -> sight.report(holder, tablet.id()))
                .filter(told -> told.getPhase() == Phase.SERVING);
    }

    /** In files and in memory; of a tablet that no server has told of, as many as there can be. */
    private static long bytes(KnownTablet tablet, Sight sight) {
        return report(tablet, sight)
                .map(told -> tablet.fileBytes() + told.getMemtableBytes())
                .orElse(Long.MAX_VALUE / 4);
    }
}
