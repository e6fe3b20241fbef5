package bt.master;

import bt.base.RejectedException;
import bt.master.MergeTerms.Asked;
import bt.master.Merges.Wish;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Merges that were given up because nothing that lasts could come of them, until whoever wished for them is told, or has gone. Owned by
 * the master's thread.
 */
final class RefusedMerges {
    /** Who waits asks again before that, or has gone. */
    private static final long KEPT_NANOS = 60_000_000_000L;

    /** Who wishes in turn looks whenever passes come to an end with nothing left to do. */
    private static final long KEPT_IN_TURN_NANOS = 600_000_000_000L;

    private final Map<Wish, Refused> all = new HashMap<>();

    /** So many tablets were left. */
    private record Refused(int tablets, Asked asked, long sinceNanos) {
        boolean isInTurn() {
            return asked == Asked.IN_TURN;
        }

        boolean isOld(long nowNanos) {
            return nowNanos - sinceNanos > (isInTurn() ? KEPT_IN_TURN_NANOS : KEPT_NANOS);
        }

        RejectedException why(String subject) {
            return new RejectedException(
                    subject + "the " + tablets
                            + " tablets that are left are too large to be one, what is made of them splits again",
                    "merge some of them");
        }
    }

    void add(Wish wish, int tablets, Asked asked, long nowNanos) {
        all.put(wish, new Refused(tablets, asked, nowNanos));
    }

    boolean has(Wish wish) {
        return all.containsKey(wish);
    }

    /** REJECTED where it is one of these, however often somebody asks: whoever has not heard the answer asks once more. */
    void check(Wish wish) throws RejectedException {
        Refused refused = all.get(wish);
        if (refused != null) {
            throw refused.why("table of id " + wish.tableId() + ": ");
        }
    }

    /** Why it is one of these. */
    Optional<RejectedException> why(Wish wish) {
        return Optional.ofNullable(all.get(wish)).map(refused -> refused.why(""));
    }

    /** Of those that somebody wished for in turn one is enough; who waits may not have heard it. */
    void told(Wish wish) {
        Refused refused = all.get(wish);
        if (refused != null && refused.isInTurn()) {
            all.remove(wish);
        }
    }

    /** Those that were wished for in turn. */
    List<Wish> inTurn() {
        return all.entrySet().stream()
                .filter(refused -> refused.getValue().isInTurn())
                .map(Map.Entry::getKey)
                .toList();
    }

    void forgetInTurn(long tableId) {
        inTurn().stream().filter(wish -> wish.tableId() == tableId).forEach(all::remove);
    }

    /** Of these tables alone. */
    void keep(Set<Long> tables) {
        all.keySet().removeIf(wish -> !tables.contains(wish.tableId()));
    }

    void forgetOld(long nowNanos) {
        all.values().removeIf(refused -> refused.isOld(nowNanos));
    }
}
