package bt.master;

import bt.record.TableUsage;
import bt.record.UserShare;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntPredicate;

/**
 * What of a table is whose, family by family: what is put counts for whoever wrote it, and what a family loses or gains
 * beside that, by deletions, compactions and compression, counts for all who have a share in it, in proportion. So it is
 * exact where each family has one writer, as in a table that groups of users share, and no more than fair where several
 * write to one. One thread.
 */
final class UserLedger {
    private static final String NOBODY = "";

    /** Beyond, the smallest are nobody's. */
    private static final int MAX_SHARES = 2_000;

    /** What is left of a share when its family is empty: too little to count, enough to tell whose it was. */
    private static final double TRACE = 0.001;

    private final Map<Integer, Map<String, Double>> families = new TreeMap<>();

    static UserLedger of(TableUsage usage) {
        UserLedger ledger = new UserLedger();
        usage.getUsers()
                .forEach(share ->
                        ledger.add(share.getFamily(), share.getUser(), Math.max(TRACE, (double) share.getBytes())));
        return ledger;
    }

    void put(int family, String user, long bytes) {
        add(family, user, (double) bytes);
    }

    private void add(int family, String user, double bytes) {
        families.computeIfAbsent(family, first -> new TreeMap<>()).merge(user, bytes, Double::sum);
    }

    /** What a family has that no user is known to have put there is nobody's: from before there were quotas. */
    void putRest(Map<Integer, Long> taken) {
        taken.forEach((family, bytes) -> add(family, NOBODY, Math.max(0, bytes - sum(family))));
    }

    /** From now on the families take this much; one that is not named takes nothing, but stays whose it was. */
    void settle(Map<Integer, Long> taken) {
        families.forEach((family, shares) -> {
            double sum = sum(family);
            double bytes = Math.max(TRACE, (double) taken.getOrDefault(family, 0L));
            if (sum > 0) {
                shares.replaceAll((user, share) -> share * bytes / sum);
            }
        });
        taken.forEach((family, bytes) -> {
            if (sum(family) == 0) {
                put(family, NOBODY, bytes);
            }
        });
    }

    /** The table has these families no more. */
    void forget(IntPredicate isGone) {
        families.keySet().removeIf(isGone::test);
    }

    private double sum(int family) {
        return families.getOrDefault(family, Map.of()).values().stream()
                .mapToDouble(share -> share)
                .sum();
    }

    /** By user, over all families; without what is nobody's. */
    Map<String, Long> users() {
        Map<String, Double> sums = new HashMap<>();
        families.values().forEach(shares -> shares.forEach((user, bytes) -> sums.merge(user, bytes, Double::sum)));
        sums.remove(NOBODY);
        Map<String, Long> users = new TreeMap<>();
        sums.forEach((user, bytes) -> users.put(user, Math.round(bytes)));
        return users;
    }

    List<UserShare> shares() {
        List<UserShare> shares = new ArrayList<>();
        families.forEach((family, users) ->
                users.forEach((user, bytes) -> shares.add(new UserShare(family, user, Math.round(bytes)))));
        shares.sort(Comparator.comparingLong(UserShare::getBytes).reversed());
        return new ArrayList<>(shares.subList(0, Math.min(shares.size(), MAX_SHARES)));
    }
}
