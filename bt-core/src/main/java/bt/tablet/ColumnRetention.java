package bt.tablet;

import bt.model.GcRule;
import bt.tablet.Retention.Verdict;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What a compaction keeps of one column after the other under a rule: it is shown the puts and the deletions of versions, in
 * the order of their keys, that no deletion of the whole column made meaningless. One thread.
 *
 * <p>With all older files among the inputs the column's state is known: what it holds stays, and nothing else, but where a
 * rule shows versions that have fallen out of a limit (an intersection): there a ghost says what pushed them out. Without,
 * older versions are not known, and a compaction keeps what decides about them: deletions, and puts that counted for a
 * while, as ghosts.
 */
abstract sealed class ColumnRetention {
    final CompactionScope scope;
    private final Garbage rule;
    private boolean begun;
    private long timestamp;

    private ColumnRetention(GcRule rule, CompactionScope scope) {
        this.scope = scope;
        this.rule = Garbage.of(rule, scope.nowMicros());
    }

    static ColumnRetention of(GcRule rule, CompactionScope scope) {
        boolean showsWhatFellOut = Garbage.mayShowWhatFellOut(rule);
        if (scope.hasAllOlder()) {
            return showsWhatFellOut ? new WithGhosts(rule, scope) : new Held(rule, scope);
        }
        return new Undecided(rule, showsWhatFellOut, scope);
    }

    void beginColumn() {
        begun = false;
        rule.beginColumn(scope.nowMicros());
    }

    abstract Verdict ofVersions(long sequence);

    final Verdict put(long putTimestamp, long sequence, long deletedAt, boolean isGhost) {
        boolean isVersion = !begun || putTimestamp != timestamp;
        begun = true;
        timestamp = putTimestamp;
        if (rule.isTooOld(putTimestamp)) {
            // So is every older version, for good: nothing is left that it could count against.
            return Verdict.DROP;
        }
        boolean garbage = rule.add(putTimestamp, sequence, deletedAt);
        return judge(new Put(putTimestamp, sequence, isVersion, deletedAt != Deletions.NEVER, isGhost), garbage, rule);
    }

    abstract Verdict judge(Put put, boolean garbage, Garbage rule);

    /** Of the puts at one timestamp the last is the version; the others were overwritten. */
    record Put(long timestamp, long sequence, boolean isVersion, boolean isDeleted, boolean isGhost) {
        boolean isShown() {
            return isVersion && !isDeleted && !isGhost;
        }
    }

    /** Keeps what the column holds. */
    private static final class Held extends ColumnRetention {
        Held(GcRule rule, CompactionScope scope) {
            super(rule, scope);
        }

        @Override
        Verdict ofVersions(long sequence) {
            return Verdict.DROP;
        }

        @Override
        Verdict judge(Put put, boolean garbage, Garbage rule) {
            return put.isShown() && !garbage ? Verdict.KEEP : Verdict.DROP;
        }
    }

    /** Keeps what the column shows, and what may have pushed any of that out of a limit. */
    private static final class WithGhosts extends ColumnRetention {
        WithGhosts(GcRule rule, CompactionScope scope) {
            super(rule, scope);
        }

        @Override
        Verdict ofVersions(long sequence) {
            return Verdict.KEEP_BEFORE_OTHERS;
        }

        @Override
        Verdict judge(Put put, boolean garbage, Garbage rule) {
            if (put.isShown() && !garbage) {
                return Verdict.KEEP;
            }
            // Without deletions of versions nothing lost its place but to what has one now.
            boolean counted = rule.hasPlace() && (scope.mayDeleteVersions() || put.isVersion);
            return counted ? Verdict.KEEP_BEFORE_OTHERS : Verdict.DROP;
        }
    }

    /**
     * Keeps whatever the outcome may depend on, as older versions are not known: what looks fallen out may have taken the
     * place of an unknown version that was deleted meanwhile. Certain is this much: between two deletions of versions that
     * reach up to a timestamp, nothing at or above it loses its place but to newer ones, so of the puts of that time only
     * the limit's number can matter.
     */
    private static final class Undecided extends ColumnRetention {
        private static final int NO_LIMIT = Integer.MAX_VALUE;

        private final int limit;
        private final boolean counts;

        /** Sequences of the deletions of versions so far. */
        private final NavigableSet<Long> cuts = new TreeSet<>();

        /** How many were kept by their sequences; of newer timestamps, one for each of these and stretch between two cuts. */
        private final NavigableMap<Long, Integer> newer = new TreeMap<>();

        /** Those of the present timestamp. */
        private final NavigableSet<Long> present = new TreeSet<>();

        Undecided(GcRule rule, boolean showsWhatFellOut, CompactionScope scope) {
            super(rule, scope);
            this.counts = Garbage.counts(rule);
            this.limit = showsWhatFellOut ? NO_LIMIT : Garbage.limitOf(rule).orElse(NO_LIMIT);
        }

        @Override
        void beginColumn() {
            super.beginColumn();
            cuts.clear();
            newer.clear();
            present.clear();
        }

        @Override
        Verdict ofVersions(long sequence) {
            cuts.add(sequence);
            return Verdict.KEEP;
        }

        @Override
        Verdict judge(Put put, boolean garbage, Garbage rule) {
            if (!counts) {
                return put.isShown() ? Verdict.KEEP : Verdict.DROP;
            }
            if (put.isVersion) {
                if (limit != NO_LIMIT) {
                    present.forEach(sequence -> newer.merge(sequence, 1, Integer::sum));
                }
                present.clear();
            }
            Long after = cuts.lower(put.sequence);
            Long before = cuts.ceiling(put.sequence);
            int kept = newerWithin(after == null ? Long.MIN_VALUE : after, before == null ? Long.MAX_VALUE : before);
            if (kept >= limit) {
                return Verdict.DROP;
            }
            Long later = present.higher(after == null ? Long.MIN_VALUE : after);
            if (later != null && (before == null || later < before)) {
                // Overwritten.
                boolean matters = scope.mayDeleteVersions() && kept + 1 < limit;
                return matters ? Verdict.GHOST : Verdict.DROP;
            }
            present.add(put.sequence);
            return put.isShown() ? Verdict.KEEP : Verdict.GHOST;
        }

        /** How many of newer timestamps were kept between two cuts; the limit where they are as many or more. */
        private int newerWithin(long after, long before) {
            if (limit == NO_LIMIT || newer.isEmpty()) {
                return 0;
            }
            int kept = 0;
            for (int more : newer.subMap(after, false, before, false).values()) {
                kept += more;
                if (kept >= limit) {
                    return limit;
                }
            }
            return kept;
        }
    }
}
