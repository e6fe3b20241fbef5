package bt.master;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Scheduler;
import bt.coord.LockService;
import bt.model.TabletId;
import bt.record.QuotaRecord;
import bt.record.QuotaStand;
import bt.record.TableRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What tables with quotas take: added up from what the servers tell with every look, told to them with the next, and kept
 * in the lock service every few seconds, so that the next master knows whose is what. Owned by the master's thread.
 */
final class Usage {
    private static final Logger log = LoggerFactory.getLogger(Usage.class);

    /** Of what is lost operators are told for so long. */
    private static final long TOLD_NANOS = 3_600_000_000_000L;

    private final UsageFiles files;
    private final Scheduler scheduler;
    private final SortedMap<Long, TableUse> tables = new TreeMap<>();

    /** The last report of each server that is counted in what {@link #stands} says. */
    private final Map<Member, Long> heard = new HashMap<>();

    private final Map<Long, Loss> losses = new TreeMap<>();
    private boolean known;
    private boolean failed;

    /** Of a table: its ledger was damaged and has been begun anew. */
    private record Loss(String what, long sinceNanos) {}

    Usage(LockService locks, Scheduler scheduler) {
        this.files = new UsageFiles(locks, scheduler);
        this.scheduler = scheduler;
    }

    /** For the servers; null while we know less than they heard from the master before us. */
    @Nullable List<QuotaStand> stands() {
        return known ? tables.values().stream().map(TableUse::stand).toList() : null;
    }

    /** The number of the server's last report that the quotas are about; -1 if there is none. */
    long heardReport(Member member) {
        return heard.getOrDefault(member, -1L);
    }

    /**
     * The tables, and the tablets of those with quotas, are those of the last pass; settled if that left nothing to do but
     * for tablets that are stuck, which keep no other table's use from being known. It
     * knows nothing of who has died since: whether this look saw all of a table its tablets tell. What was known of other
     * tables is forgotten, unless these may not be all tables that there are.
     */
    void look(
            Map<Long, TableRecord> active,
            Map<Long, Set<TabletId>> tablets,
            Sight sight,
            boolean isSettled,
            boolean areAll) {
        try {
            follow(active);
            known = true;
            tables.forEach((id, table) -> table.look(tablets.getOrDefault(id, Set.of()), sight, isSettled));
            heard.keySet().retainAll(sight.living());
            sight.answered()
                    .forEach((member, holdings) ->
                            heard.put(member, holdings.status().getReport()));
            if (isSettled) {
                files.write(tables, areAll);
            }
            failed = false;
        } catch (BigtableException refused) {
            // What is known stays true; the next look tries again.
            if (!failed) {
                log.warn("quotas: {}", refused.getMessage());
            }
            failed = true;
        }
    }

    /** For operators. */
    List<String> problems() {
        return losses.values().stream().map(Loss::what).toList();
    }

    private void follow(Map<Long, TableRecord> active) throws BigtableException {
        tables.keySet().retainAll(active.keySet());
        long now = scheduler.clock().nanos();
        losses.entrySet()
                .removeIf(loss -> !active.containsKey(loss.getKey())
                        || now - loss.getValue().sinceNanos() > TOLD_NANOS);
        List<TableRecord> unknown = new ArrayList<>();
        for (TableRecord table : active.values()) {
            TableUse use = tables.get(table.getId());
            if (!hasQuotas(table)) {
                tables.remove(table.getId());
            } else if (use == null) {
                unknown.add(table);
            } else {
                use.follow(table);
            }
        }
        Iterator<Optional<Bytes>> kept =
                files.read(unknown.stream().map(TableRecord::getId).toList()).iterator();
        for (TableRecord table : unknown) {
            TableUse use = begin(table, kept.next());
            use.follow(table);
            tables.put(table.getId(), use);
        }
    }

    /** Anew where the file is damaged: no other table's quotas wait for somebody to mend it, and soon it is written again. */
    private TableUse begin(TableRecord table, Optional<Bytes> kept) throws BigtableException {
        try {
            return TableUse.of(table.getId(), kept);
        } catch (CorruptionException damaged) {
            String loss = "table " + table.getName() + ": " + damaged.getMessage()
                    + "; what its users take is counted anew, what they had put before is nobody's";
            log.warn("quotas: {}", loss);
            losses.put(table.getId(), new Loss(loss, scheduler.clock().nanos()));
            return TableUse.anew(table.getId());
        }
    }

    /** Whether anybody needs to know what the table takes. */
    static boolean hasQuotas(TableRecord table) {
        QuotaRecord quotas = table.getQuotas();
        return quotas.getTableBytes() >= 0
                || quotas.getEachUserBytes() >= 0
                || !quotas.getUsers().isEmpty();
    }
}
