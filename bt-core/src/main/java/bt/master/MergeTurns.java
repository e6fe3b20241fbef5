package bt.master;

import bt.master.Merges.Wish;
import java.util.OptionalLong;
import java.util.Set;

/**
 * When merges let others have their turn: balance, and others' splits, moves and compactions, go on with passes that leave nothing to do,
 * and while tablets are away for a merge there is none. One merge rests between two steps, but of many there is always one that does
 * not. So when steps have followed each other for a while none begins until such a pass has come, and a moment behind it. Owned by the
 * master's thread.
 */
final class MergeTurns {
    /** For so long steps follow each other. */
    private static final long BUSY_NANOS = 10_000_000_000L;

    /** For so long others have their turn; in that is a look at all that waits. */
    private static final long TURN_NANOS = 2_000_000_000L;

    /** And for so long it is waited for, at most: a pass may leave something to do for quite another reason. */
    private static final long MOST_WAIT_NANOS = 20_000_000_000L;

    /** Those whose tablets are away, or have been asked to leave, as the last run left it. */
    private Set<Wish> underWay = Set.of();

    /** Since when they follow each other. */
    private OptionalLong busySince = OptionalLong.empty();

    /** Since when none is under way. */
    private OptionalLong idleSince = OptionalLong.empty();

    /** Since when a pass has left nothing to do, of those behind that. */
    private OptionalLong settledSince = OptionalLong.empty();

    /** Whether no other step should begin. */
    boolean isOthers(long nowNanos) {
        if (isOver(settledSince, TURN_NANOS, nowNanos) || isOver(idleSince, MOST_WAIT_NANOS, nowNanos)) {
            busySince = OptionalLong.empty();
        }
        return isOver(busySince, BUSY_NANOS, nowNanos);
    }

    private static boolean isOver(OptionalLong since, long nanos, long nowNanos) {
        return since.isPresent() && nowNanos - since.getAsLong() >= nanos;
    }

    /** Whether a step of it goes on. */
    boolean isUnderWay(Wish wish) {
        return underWay.contains(wish);
    }

    /** Whether this run did anything for a merge, and which it has left under way. */
    void ran(boolean isBusy, Set<Wish> now, long nowNanos) {
        underWay = Set.copyOf(now);
        if (isBusy) {
            busySince = OptionalLong.of(busySince.orElse(nowNanos));
            idleSince = OptionalLong.empty();
            settledSince = OptionalLong.empty();
        } else {
            idleSince = OptionalLong.of(idleSince.orElse(nowNanos));
        }
    }

    /** A pass has left nothing to do. */
    void settled(long nowNanos) {
        settledSince = OptionalLong.of(settledSince.orElse(nowNanos));
    }
}
