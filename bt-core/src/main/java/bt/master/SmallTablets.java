package bt.master;

import bt.base.Clock;
import bt.master.Merges.Wish;
import bt.metadata.MetadataRow;
import bt.metadata.TabletStates;
import bt.model.RowRange;
import bt.record.FileReference;
import bt.record.Phase;
import bt.record.TabletReport;
import java.util.HashMap;
import java.util.List;
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

    /** Two of the rows that should be one tablet, those first that have been small for longest. */
    Optional<Wish> neighbours(List<MetadataRow> rows, Sight sight) {
        long busy = share.perMinute(sight);
        Map<Wish, Long> small = new HashMap<>();
        for (int i = 1; i < rows.size(); i++) {
            MetadataRow lower = rows.get(i - 1);
            MetadataRow upper = rows.get(i);
            if (areSmall(lower, upper, sight) && areIdle(lower, upper, busy, sight)) {
                RowRange both =
                        new RowRange(lower.range().start(), upper.range().end());
                Wish wish = new Wish(lower.id().tableId(), both);
                small.put(wish, smallSince.getOrDefault(wish, clock.nanos()));
            }
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

    private boolean areSmall(MetadataRow lower, MetadataRow upper, Sight sight) {
        return lower.id().tableId() == upper.id().tableId()
                && upper.previousEndRow().equals(lower.id().endRow())
                && !TabletStates.keepsEndRow(lower.state())
                && bytes(lower, sight) + bytes(upper, sight) < config.bytes();
    }

    /** Or they would be split again for being too busy. */
    private static boolean areIdle(MetadataRow lower, MetadataRow upper, long busy, Sight sight) {
        return busy == 0 || requests(lower, sight) + requests(upper, sight) < busy / 2;
    }

    private static long requests(MetadataRow row, Sight sight) {
        return report(row, sight).map(TabletReport::getRequestsPerMinute).orElse(0L);
    }

    private static Optional<TabletReport> report(MetadataRow row, Sight sight) {
        return sight.holder(row.location())
                .flatMap(holder -> sight.report(holder, row.id()))
                .filter(told -> told.getPhase() == Phase.SERVING);
    }

    /** In files and in memory; of a tablet that no server has told of, as many as there can be. */
    private static long bytes(MetadataRow row, Sight sight) {
        long files = row.state().getFiles().stream()
                .mapToLong(FileReference::getBytes)
                .sum();
        return report(row, sight).map(told -> files + told.getMemtableBytes()).orElse(Long.MAX_VALUE / 4);
    }
}
