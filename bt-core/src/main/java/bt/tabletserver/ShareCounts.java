package bt.tabletserver;

import bt.base.Clock;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.record.FamilyBytes;
import bt.record.TableShares;
import bt.record.UserShare;
import bt.tablet.Census;
import bt.tablet.FamilySize;
import bt.tabletserver.TabletSet.Holding;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * Counts what is put into tables with quotas, since the server's start: of each table, of each user in it, and of each user
 * in each family. Only the commit thread counts; any thread reads.
 */
final class ShareCounts {
    /** A table has half at most of what others leave of these: what its users put into families beyond is counted as nobody's. */
    private static final int MAX_SHARES = 20_000;

    /** With nobody's, of which each family has one; what is beyond is of no family, and one for each table. */
    private static final int MAX_WITH_NOBODYS = 2 * MAX_SHARES;

    private static final int NO_FAMILY = 0;

    private static final String NOBODY = "";
    private static final long REFRESH_NANOS = 500_000_000L;

    /** For so long a table without tablets here is remembered: it may be on its way back. */
    static final long FORGET_NANOS = 600_000_000_000L;

    private final Clock clock;
    private final Map<Owner, AtomicLong> sums = new ConcurrentHashMap<>();
    private final Map<Share, AtomicLong> shares = new ConcurrentHashMap<>();

    /** Of the sums of users what the master is told to be nobody's: no stand of it has these. */
    private final Map<Owner, AtomicLong> untold = new ConcurrentHashMap<>();

    /** How many shares of each table are its users'. */
    private final Map<Long, AtomicLong> users = new ConcurrentHashMap<>();

    private final AtomicLong usersInAll = new AtomicLong();

    /** Since when there have been no tablets of a table here that was counted. */
    private final Map<Long, Long> goneSince = new ConcurrentHashMap<>();

    /** What tablets take is added up twice a second at most, and whenever they are others than before. */
    private volatile Measured measured;

    ShareCounts(Clock clock) {
        this.clock = clock;
        this.measured = new Measured(Set.of(), List.of(), Map.of(), clock.nanos() - REFRESH_NANOS);
    }

    /** A table, or a user in it. */
    record Owner(long tableId, String user) {
        static Owner of(long tableId) {
            return new Owner(tableId, NOBODY);
        }

        static Owner of(long tableId, String user) {
            return new Owner(tableId, user);
        }
    }

    private record Share(long tableId, int family, String user) {}

    /** A report of these tablets, and what had been counted when it was made. */
    private record Measured(Set<TabletId> tablets, List<TableShares> report, Map<Owner, Long> sums, long atNanos) {}

    void add(TableSchema schema, String user, int family, long bytes) {
        sum(sums, Owner.of(schema.id())).addAndGet(bytes);
        if (schema.quotas().hasUsers()) {
            Share own = new Share(schema.id(), family, user);
            boolean isToldApart = shares.containsKey(own) || hasRoom(schema.id());
            Owner owner = Owner.of(schema.id(), user);
            if (!user.equals(NOBODY) && (isToldApart || sums.containsKey(owner))) {
                sum(sums, owner).addAndGet(bytes);
                if (!isToldApart) {
                    sum(untold, owner).addAndGet(bytes);
                }
            }
            // A user who is known has no more of them for that: a table may have hundreds of families, and each a
            // share of each user.
            sum(shares, isToldApart ? counted(own) : ofNobody(own)).addAndGet(bytes);
        }
    }

    private boolean hasRoom(long tableId) {
        long own = sum(users, tableId).get();
        return own < (MAX_SHARES - (usersInAll.get() - own)) / 2;
    }

    private Share counted(Share own) {
        if (!shares.containsKey(own)) {
            sum(users, own.tableId).incrementAndGet();
            usersInAll.incrementAndGet();
        }
        return own;
    }

    private Share ofNobody(Share own) {
        Share ofFamily = new Share(own.tableId, own.family, NOBODY);
        return shares.size() < MAX_WITH_NOBODYS || shares.containsKey(ofFamily)
                ? ofFamily
                : new Share(own.tableId, NO_FAMILY, NOBODY);
    }

    /** How many shares are counted, those of nobody included. */
    int size() {
        return shares.size();
    }

    long sum(Owner owner) {
        AtomicLong sum = sums.get(owner);
        return sum == null ? 0 : sum.get();
    }

    /**
     * What had been counted when the last report was made: of tables just now, of users when it was added up, without what it does
     * not say to be theirs.
     */
    Map<Owner, Long> told() {
        Map<Owner, Long> told = new HashMap<>(measured.sums);
        sums.forEach((owner, sum) -> {
            if (owner.user.equals(NOBODY)) {
                told.put(owner, sum.get());
            }
        });
        return told;
    }

    private static <K> AtomicLong sum(Map<K, AtomicLong> counts, K key) {
        return counts.computeIfAbsent(key, first -> new AtomicLong());
    }

    /** Of every table with quotas for users that has a tablet here. */
    List<TableShares> report(Collection<Holding> tablets) {
        Measured last = measured;
        List<HostedTablet> shared = tablets.stream()
                .flatMap(holding -> holding.tablet().stream())
                .filter(hosted -> hosted.tablet().schema().quotas().hasUsers())
                .toList();
        // The master takes the families for those of the tablets that it is told of beside them.
        Set<TabletId> ids = shared.stream().map(HostedTablet::id).collect(Collectors.toSet());
        if (clock.nanos() - last.atNanos >= REFRESH_NANOS || !ids.equals(last.tablets)) {
            forget(tablets.stream().map(holding -> holding.id().tableId()).collect(Collectors.toSet()));
            last = measure(ids, shared);
            measured = last;
        }
        return last.report;
    }

    /** Of tables that have gone elsewhere, or for good. Should one come back, it is counted from 0 again. */
    private void forget(Set<Long> here) {
        Set<Long> known = new HashSet<>();
        sums.keySet().forEach(owner -> known.add(owner.tableId));
        goneSince.keySet().removeIf(table -> here.contains(table) || !known.contains(table));
        known.removeAll(here);
        for (Long table : known) {
            long now = clock.nanos();
            if (now - goneSince.computeIfAbsent(table, first -> now) >= FORGET_NANOS) {
                shares.keySet().removeIf(share -> share.tableId == table);
                AtomicLong gone = users.remove(table);
                usersInAll.addAndGet(gone == null ? 0 : -gone.get());
                sums.keySet().removeIf(owner -> owner.tableId == table);
                untold.keySet().removeIf(owner -> owner.tableId == table);
            }
        }
    }

    /** Sums before bytes: what comes in between is counted once more, not once too little. */
    private Measured measure(Set<TabletId> ids, List<HostedTablet> tablets) {
        Map<Owner, Long> counted = new HashMap<>();
        sums.forEach((owner, sum) -> {
            // Before the sum, which grows first.
            AtomicLong ofNobody = untold.get(owner);
            long told = ofNobody == null ? 0 : ofNobody.get();
            counted.put(owner, sum.get() - told);
        });
        Map<Long, Map<Integer, Long>> bytes = new TreeMap<>();
        for (HostedTablet hosted : tablets) {
            add(hosted.tablet().census(), bytes.computeIfAbsent(hosted.id().tableId(), first -> new TreeMap<>()));
        }
        // After the bytes: what is there and has no put yet would be taken for somebody else's.
        Map<Long, List<UserShare>> puts = new HashMap<>();
        shares.forEach((share, sum) -> puts.computeIfAbsent(share.tableId, first -> new ArrayList<>())
                .add(new UserShare(share.family, share.user, sum.get())));
        List<TableShares> report = new ArrayList<>();
        bytes.forEach((table, families) -> {
            List<FamilyBytes> taken = new ArrayList<>();
            families.forEach((family, size) -> taken.add(new FamilyBytes(family, size)));
            report.add(new TableShares(table, taken, puts.getOrDefault(table, List.of())));
        });
        return new Measured(ids, report, counted, clock.nanos());
    }

    /** A file's bytes on disk are its families' by what they have in it before compression. */
    private static void add(Census census, Map<Integer, Long> families) {
        for (FamilySize size : census.memory()) {
            families.merge(size.family(), size.bytes(), Long::sum);
        }
        for (Census.File file : census.files()) {
            long all = file.cells().stream().mapToLong(FamilySize::bytes).sum();
            for (FamilySize size : file.cells()) {
                long bytes = Math.round((double) file.bytes() * size.bytes() / Math.max(1, all));
                families.merge(size.family(), bytes, Long::sum);
            }
        }
    }
}
