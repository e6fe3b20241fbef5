package bt.master;

import bt.base.Clock;
import bt.master.Merges.Wish;
import bt.model.RowRange;
import bt.model.TableSchema;
import bt.record.Phase;
import bt.record.TabletReport;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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

    /**
     * Of these, which come in the order of their keys, pairs that should be one tablet, so many at most: those first that have been small for
     * longest. No two have a tablet in common, nor a server, which would hand back one after the other while both are kept from being served.
     */
    List<Wish> neighbours(Iterable<KnownTablet> tablets, Sight sight, int most) {
        long busyOfUsers = share.perMinute(sight);
        long busyOfMetadata = share.ofMetadataPerMinute(sight);
        Map<Wish, Pair> small = new HashMap<>();
        KnownTablet lower = null;
        for (KnownTablet upper : tablets) {
            long busy = upper.id().tableId() == TableSchema.METADATA_ID ? busyOfMetadata : busyOfUsers;
            if (lower != null && areSmall(lower, upper, sight) && areIdle(lower, upper, busy, sight)) {
                RowRange both =
                        new RowRange(lower.range().start(), upper.range().end());
                Wish wish = new Wish(lower.id().tableId(), both);
                long since = smallSince.getOrDefault(wish, clock.nanos());
                small.put(wish, new Pair(wish, epochs(lower, upper), since));
            }
            lower = upper;
        }
        smallSince.clear();
        small.forEach((wish, pair) -> smallSince.put(wish, pair.sinceNanos));
        return apart(
                small.values().stream()
                        .filter(pair -> clock.nanos() - pair.sinceNanos >= config.afterMillis() * 1_000_000)
                        .sorted(Comparator.comparingLong(Pair::sinceNanos)
                                .thenComparing(pair -> pair.wish.tableId())
                                .thenComparing(pair -> pair.wish.rows().start()))
                        .toList(),
                most);
    }

    private static Set<Long> epochs(KnownTablet lower, KnownTablet upper) {
        return Stream.of(lower.epoch(), upper.epoch()).collect(Collectors.toSet());
    }

    private static List<Wish> apart(List<Pair> pairs, int most) {
        List<Wish> apart = new ArrayList<>();
        Set<Long> busy = new HashSet<>();
        for (Pair pair : pairs) {
            // Who has a tablet that is part of two pairs is a server of both.
            if (apart.size() < most && Collections.disjoint(busy, pair.epochs)) {
                apart.add(pair.wish);
                busy.addAll(pair.epochs);
            }
        }
        return apart;
    }

    /** What should be one tablet, the servers that have it, and since when it is small. */
    private record Pair(Wish wish, Set<Long> epochs, long sinceNanos) {}

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
