package bt.master;

import bt.metadata.MetadataRow;
import bt.metadata.RowMerge;
import bt.model.TabletId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * For how long a merge goes on and keeps tablets from being served: by whom and since when it is wished for, since when it
 * keeps some, or how long it keeps none.
 */
record MergeTerms(Asked asked, long sinceNanos, OptionalLong holdsSinceNanos, Optional<Rest> rest) {
    /** Nobody waits for a merge that nobody asked for: so long it may keep a tablet from being served, as a split may. */
    static final long HOLD_NANOS = 1_000_000_000L;

    /** Of one that is tried again and again; longer than most tablets take to leave their servers once they have been flushed. */
    private static final long ATTEMPT_HOLD_NANOS = 5_000_000_000L;

    /** Between two of them all of its tablets are served, unless one leaves its server that had been asked to before. */
    private static final long REST_NANOS = 20_000_000_000L;

    /** Between two steps of a merge: what was made is served, and passes come to an end with which others' work goes on. */
    private static final long STEP_NANOS = 2_000_000_000L;

    /** A merge that is not done by then is given up: its tablets must be served. */
    private static final long GIVE_UP_NANOS = 60_000_000_000L;

    /** Who wants it: for how long it may keep a tablet at a time, and whether the master tries again after that. */
    enum Asked {
        BY_NOBODY(HOLD_NANOS, false),
        /** By somebody who wishes again after a while where it is given up. */
        IN_TURN(ATTEMPT_HOLD_NANOS, false),
        /** By somebody who waits for it. */
        FOR_NOW(ATTEMPT_HOLD_NANOS, true);

        private final long mostHoldNanos;
        private final boolean goesOn;

        Asked(long mostHoldNanos, boolean goesOn) {
            this.mostHoldNanos = mostHoldNanos;
            this.goesOn = goesOn;
        }
    }

    /** Tablets that were away for it in vain are served until then; others may yet be on their way to leave. */
    record Rest(long untilNanos, Set<TabletId> wereAway) {
        boolean isOver(long nowNanos, List<MetadataRow> members) {
            return nowNanos - untilNanos >= 0
                    || members.stream().anyMatch(member -> RowMerge.isClean(member) && !wereAway.contains(member.id()));
        }
    }

    static MergeTerms of(Asked asked, long nowNanos) {
        return new MergeTerms(asked, nowNanos, OptionalLong.empty(), Optional.empty());
    }

    /** Wished for once more: for longer, but what it keeps it has not kept for less long because of that. */
    MergeTerms again(MergeTerms wished) {
        Asked more = asked.compareTo(wished.asked) > 0 ? asked : wished.asked;
        return new MergeTerms(more, wished.sinceNanos, holdsSinceNanos, rest);
    }

    /** Whether the tablets must be served now. */
    boolean isOver(long nowNanos) {
        return isTooOld(nowNanos) || hasHeldFor(asked.mostHoldNanos, nowNanos);
    }

    /** Of one that is over, whether it is not given up. */
    boolean goesOn(long nowNanos) {
        return asked.goesOn && !isTooOld(nowNanos);
    }

    private boolean isTooOld(long nowNanos) {
        return nowNanos - sinceNanos > GIVE_UP_NANOS;
    }

    private boolean hasHeldFor(long nanos, long nowNanos) {
        return holdsSinceNanos.isPresent() && nowNanos - holdsSinceNanos.getAsLong() > nanos;
    }

    /** Whether its tablets leave their servers just now, or are kept from being served, and not for long. */
    boolean isShort(long nowNanos) {
        return holdsSinceNanos.isPresent()
                ? !hasHeldFor(HOLD_NANOS, nowNanos)
                : rest.isEmpty() && nowNanos - sinceNanos <= HOLD_NANOS;
    }

    /** Whether whoever waits for it has not asked again for so long that he is gone. */
    boolean isAbandoned(long nowNanos) {
        return asked.goesOn && isTooOld(nowNanos);
    }

    /** Of one that goes on with other tablets, soon. */
    MergeTerms ofNextStep(long nowNanos) {
        Rest soon = new Rest(nowNanos + STEP_NANOS, Set.of());
        return new MergeTerms(asked, asked.goesOn ? sinceNanos : nowNanos, OptionalLong.empty(), Optional.of(soon));
    }

    /** It waits for others, and keeps none: as if it were wished for when that is over, but by somebody who has to ask again. */
    MergeTerms waiting(long nowNanos) {
        boolean rests = rest.filter(given -> nowNanos - given.untilNanos < 0).isPresent();
        Rest none = new Rest(nowNanos, Set.of());
        return rests
                ? this
                : new MergeTerms(asked, asked.goesOn ? sinceNanos : nowNanos, OptionalLong.empty(), Optional.of(none));
    }

    MergeTerms holding(long nowNanos) {
        return holdsSinceNanos.isPresent()
                ? this
                : new MergeTerms(asked, sinceNanos, OptionalLong.of(nowNanos), Optional.empty());
    }

    /** It keeps none for a while; these it had kept. */
    MergeTerms resting(long nowNanos, Set<TabletId> wereAway) {
        Rest now = new Rest(nowNanos + REST_NANOS, Set.copyOf(wereAway));
        return new MergeTerms(asked, sinceNanos, OptionalLong.empty(), Optional.of(now));
    }

    boolean rests(long nowNanos, List<MetadataRow> members) {
        return rest.isPresent() && !rest.get().isOver(nowNanos, members);
    }
}
