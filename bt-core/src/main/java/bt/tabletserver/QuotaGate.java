package bt.tabletserver;

import bt.base.Clock;
import bt.base.RejectedException;
import bt.model.Change;
import bt.model.FamilySchema;
import bt.model.Quotas;
import bt.model.TableSchema;
import bt.record.QuotaStand;
import bt.record.TableShares;
import bt.record.UserBytes;
import bt.tabletserver.TabletSet.Holding;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Refuses writes beyond the quotas of their table. What the table takes on all servers the master tells with every look, as
 * the look before saw it; to that comes what this server has taken since. So a refusal may be late by two looks of the
 * master, some 0.6 s, for what other servers take meanwhile. While there is no master, what it said last holds.
 */
final class QuotaGate {
    private static final int MOST_TOLD = 4;

    private final ShareCounts counts;

    /** By table. */
    private volatile Map<Long, Stand> stands = Map.of();

    private final AtomicLong numbers = new AtomicLong();

    /** The newest last; the master may not have heard of those behind the first. */
    private final AtomicReference<List<Told>> told = new AtomicReference<>(List.of());

    QuotaGate(Clock clock) {
        this.counts = new ShareCounts(clock);
    }

    /** A report to the master, and what had been counted here when it was made. */
    record Told(long number, List<TableShares> shares, Map<ShareCounts.Owner, Long> counted) {}

    /** What the master saw, and what had been counted here of that. */
    private record Stand(long bytes, Map<String, Long> users, Map<ShareCounts.Owner, Long> counted) {
        static final Stand UNKNOWN = new Stand(0, Map.of(), Map.of());
    }

    /**
     * From the master, before it is told anew: it knows what it was told with that number. What it was told since, in answers
     * that were lost, is still new to it.
     */
    void hear(@Nullable List<QuotaStand> said, long heardReport) {
        if (said == null) {
            return;
        }
        Map<ShareCounts.Owner, Long> counted = knownTo(heardReport);
        Map<Long, Stand> next = new HashMap<>();
        for (QuotaStand stand : said) {
            Map<String, Long> users = new HashMap<>();
            for (UserBytes user : stand.getUsers()) {
                users.put(user.getUser(), user.getBytes());
            }
            next.put(stand.getTableId(), new Stand(stand.getBytes(), users, counted));
        }
        stands = next;
    }

    /**
     * Of one that has never heard of us it is the newest: it knows the quotas from a master before it, and what it counts we
     * must not count once more.
     */
    private Map<ShareCounts.Owner, Long> knownTo(long heardReport) {
        List<Told> all = told.updateAndGet(before ->
                before.stream().dropWhile(older -> older.number < heardReport).toList());
        if (all.isEmpty()) {
            return Map.of();
        }
        return all.get(heardReport < 0 ? all.size() - 1 : 0).counted;
    }

    /** Of each table with quotas for users, for the master's look: what it says next is about this, if it hears it. */
    Told tell(Collection<Holding> tablets) {
        List<TableShares> report = counts.report(tablets);
        Told last = new Told(numbers.getAndIncrement(), report, counts.told());
        told.updateAndGet(before -> {
            List<Told> next = new ArrayList<>(before);
            if (next.size() == MOST_TOLD) {
                // The first is the one that the master has heard.
                next.remove(1);
            }
            next.add(last);
            return List.copyOf(next);
        });
        return last;
    }

    /** The same for anybody else: the master has not heard it. */
    List<TableShares> report(Collection<Holding> tablets) {
        return counts.report(tablets);
    }

    /** Only the commit thread. REJECTED is the one kind that nobody tries again by itself. */
    void check(WriteEntry entry, TableSchema schema) throws RejectedException {
        Quotas quotas = schema.quotas();
        if (addsNothing(entry, quotas)) {
            return;
        }
        Stand stand = stands.getOrDefault(schema.id(), Stand.UNKNOWN);
        if (quotas.tableBytes().isPresent()) {
            long taken = stand.bytes + since(stand, ShareCounts.Owner.of(schema.id()));
            check(quotas.tableBytes().getAsLong(), taken, "table " + schema.name());
        }
        OptionalLong ofUser = quotas.of(entry.user());
        if (ofUser.isPresent()) {
            long taken = stand.users.getOrDefault(entry.user(), 0L)
                    + since(stand, ShareCounts.Owner.of(schema.id(), entry.user()));
            check(ofUser.getAsLong(), taken, "table " + schema.name() + ", user " + entry.user());
        }
    }

    private static boolean addsNothing(WriteEntry entry, Quotas quotas) {
        return quotas.isNone() || entry.mutation().changes().stream().allMatch(QuotaGate::isDeletion);
    }

    private long since(Stand stand, ShareCounts.Owner owner) {
        return Math.max(0, counts.sum(owner) - stand.counted.getOrDefault(owner, 0L));
    }

    private static void check(long quota, long taken, String subject) throws RejectedException {
        if (taken >= quota) {
            throw new RejectedException(
                    subject + ": the quota of " + quota + " bytes is used up, " + taken + " are taken",
                    "delete what is not needed, which takes effect with compactions, or have an"
                            + " administrator of the table raise it");
        }
    }

    /** Of a write that passed, and that nothing else refuses any more. Only the commit thread. */
    void count(WriteEntry entry, TableSchema schema) {
        if (addsNothing(entry, schema.quotas())) {
            return;
        }
        int row = entry.write().mutation().row().length();
        for (Change change : entry.mutation().changes()) {
            if (change instanceof Change.SetCell set) {
                int family = schema.family(set.column().family())
                        .map(FamilySchema::id)
                        .orElse(0);
                counts.add(schema, entry.user(), family, row + set.bytes());
            }
        }
    }

    private static boolean isDeletion(Change change) {
        return switch (change.kind()) {
            case DELETE_ROW, DELETE_FAMILY, DELETE_COLUMN, DELETE_VERSIONS, DELETE_VERSION -> true;
            case SET_CELL, INCREMENT, APPEND -> false;
        };
    }
}
