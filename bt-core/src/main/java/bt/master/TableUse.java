package bt.master;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.coord.Paths;
import bt.metadata.Schemas;
import bt.model.FamilySchema;
import bt.model.Quotas;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.record.QuotaStand;
import bt.record.TableRecord;
import bt.record.TableUsage;
import bt.record.UserBytes;
import bt.record.UserShare;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What one table with quotas takes, as the servers tell; its file lets the next master go on. Owned by the master's thread. */
final class TableUse {
    private final long tableId;
    private final UserLedger ledger;

    /** Nobody has kept a ledger of the table yet: what servers have counted so far is all that there is to count. */
    private final boolean isNew;

    /** What servers had counted when we last looked, by epoch. Empty before our first look. */
    private Optional<Map<Long, List<UserShare>>> counted = Optional.empty();

    private Quotas quotas = Quotas.NONE;
    private Set<Integer> schemaFamilies = Set.of();
    private long bytes;
    /** What the last look had of the table: decoded once. */
    private @Nullable TableRecord followed;

    private TableUse(long tableId, UserLedger ledger, boolean isNew, long bytes) {
        this.tableId = tableId;
        this.ledger = ledger;
        this.isNew = isNew;
        this.bytes = bytes;
    }

    /** With what its file has, if there is one. */
    static TableUse of(long tableId, Optional<Bytes> kept) throws CorruptionException {
        if (kept.isEmpty()) {
            return anew(tableId);
        }
        TableUsage usage = AvroBytes.decode(Paths.usage(tableId), kept.get(), TableUsage.class);
        // Without shares there were no quotas for users.
        return new TableUse(tableId, UserLedger.of(usage), usage.getUsers().isEmpty(), usage.getBytes());
    }

    /** Of which nothing is kept. */
    static TableUse anew(long tableId) {
        return new TableUse(tableId, new UserLedger(), true, 0);
    }

    @SuppressWarnings("ReferenceEquality") // The catalogue gives the same object until the file has another version.
    void follow(TableRecord table) throws BigtableException {
        if (followed == table) {
            return;
        }
        TableSchema schema = Schemas.decode(table);
        quotas = schema.quotas();
        schemaFamilies = schema.families().stream().map(FamilySchema::id).collect(Collectors.toSet());
        followed = table;
    }

    /**
     * Settled are all tablets if nothing can be done for one; while less is seen than there is, as of a table with a tablet
     * that cannot be loaded, what was known stays.
     */
    void look(Set<TabletId> tablets, Sight sight, boolean isSettled) {
        TableSight seen = TableSight.of(tableId, tablets, sight);
        bytes = isSettled && seen.isWhole() ? seen.bytes() : Math.max(bytes, seen.bytes());
        boolean mayShare = isSettled && seen.knowsFamilies();
        if (quotas.hasUsers() && (mayShare || counted.isPresent())) {
            count(seen.puts());
            if (mayShare) {
                if (counted.isEmpty() && isNew) {
                    ledger.putRest(seen.families());
                }
                ledger.settle(seen.families());
                ledger.forget(family -> family != 0
                        && !schemaFamilies.contains(family)
                        && !seen.families().containsKey(family));
            }
            counted = Optional.of(counted(seen.puts(), sight));
        }
    }

    /** Who has not answered now, or has no tablet of the table just now, goes on counting from where it was. */
    private Map<Long, List<UserShare>> counted(Map<Long, List<UserShare>> puts, Sight sight) {
        Map<Long, List<UserShare>> all = new HashMap<>(counted.orElse(Map.of()));
        all.keySet().retainAll(sight.living().stream().map(Member::epoch).toList());
        all.putAll(puts);
        return all;
    }

    private void count(Map<Long, List<UserShare>> puts) {
        puts.forEach((epoch, shares) -> {
            // A master before us has counted some of what servers had counted before our first look; nobody knows how
            // much.
            if (counted.isPresent() || isNew) {
                List<UserShare> before = counted.map(known -> known.getOrDefault(epoch, List.of()))
                        .orElse(List.of());
                Map<List<Object>, Long> last = new HashMap<>();
                before.forEach(share -> last.put(List.of(share.getFamily(), share.getUser()), share.getBytes()));
                for (UserShare share : shares) {
                    long known = last.getOrDefault(List.of(share.getFamily(), share.getUser()), 0L);
                    // A server forgets a table that it has not had for a while, and counts from 0 again.
                    long since = share.getBytes() < known ? share.getBytes() : share.getBytes() - known;
                    ledger.put(share.getFamily(), share.getUser(), since);
                }
            }
        });
    }

    QuotaStand stand() {
        List<UserBytes> users = new ArrayList<>();
        if (quotas.hasUsers()) {
            ledger.users().forEach((user, taken) -> {
                if (quotas.of(user).isPresent()) {
                    users.add(new UserBytes(user, taken));
                }
            });
        }
        return new QuotaStand(tableId, bytes, users);
    }

    /** For its file. */
    Bytes encode() {
        return AvroBytes.encode(new TableUsage(bytes, quotas.hasUsers() ? ledger.shares() : List.of()));
    }
}
