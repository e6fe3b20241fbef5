package bt.master;

import bt.base.BigtableException;
import bt.base.Messages;
import bt.base.RejectedException;
import bt.coord.LockService;
import bt.metadata.ClusterAccess;
import bt.metadata.Schemas;
import bt.model.AccessList;
import bt.model.FamilySchema;
import bt.model.Right;
import bt.model.TableAccess;
import bt.model.TableSchema;
import bt.record.AlterTable;
import bt.record.ChangeAccess;
import bt.record.ClusterStatusRequest;
import bt.record.CreateTable;
import bt.record.DropTable;
import bt.record.GarbageRequest;
import bt.record.MergeTablets;
import bt.record.MoveTablet;
import bt.record.RecoveryRequest;
import bt.record.SweepRequest;
import bt.record.TableRecord;
import bt.record.TruncateTable;
import bt.record.UndeleteTable;
import bt.record.WorkOnTable;
import bt.record.WorkRequest;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who may have the master do what (section 4 of the paper: lists of rights lie in the lock service). It reads them anew in
 * every turn of the master's loop, and behind every command that may have changed them: who is refused again and again in one turn
 * costs no more than once. Whoever is of this process's user may do everything, whatever has become of the lists. The master's
 * thread.
 */
final class Permits {
    private static final Logger log = LoggerFactory.getLogger(Permits.class);

    private final LockService locks;
    private final Catalogue catalogue;
    private final String owner;

    // What was read in this turn.
    private @Nullable ClusterAccess cluster;
    private @Nullable Collection<TableRecord> dropped;
    private final Map<Long, Optional<TableRecord>> tables = new HashMap<>();

    Permits(LockService locks, Catalogue catalogue, String owner) {
        this.locks = locks;
        this.catalogue = catalogue;
        this.owner = owner;
    }

    /** What was read before may not be so any more. */
    void begin() {
        cluster = null;
        dropped = null;
        tables.clear();
    }

    private ClusterAccess cluster() throws BigtableException {
        ClusterAccess known = cluster;
        if (known == null) {
            known = ClusterAccess.read(locks);
            cluster = known;
        }
        return known;
    }

    private Optional<TableRecord> table(long tableId) throws BigtableException {
        Optional<TableRecord> known = tables.get(tableId);
        if (known == null) {
            known = catalogue.table(tableId);
            tables.put(tableId, known);
        }
        return known;
    }

    private Optional<TableRecord> lastDropped(UndeleteTable undelete) throws BigtableException {
        Collection<TableRecord> known = dropped;
        if (known == null) {
            known = catalogue.tables().values();
            dropped = known;
        }
        return Catalogue.lastDropped(known, undelete.getName(), undelete.getTableId());
    }

    /**
     * What is to be done for the user: what he asks for, but that a new table's list has its creator too where it names no
     * administrator, and the cluster has a list. REJECTED where he may not have it done.
     */
    SpecificRecord admit(String user, SpecificRecord message) throws BigtableException {
        if (isQuestion(message) || (user.equals(owner) && !givesTableRights(message))) {
            return message;
        }
        boolean open = user.equals(owner) ? !ClusterAccess.isThere(locks) : isOpenTo(user, message);
        if (open) {
            checkOpen(user, message);
            return message;
        }
        return message instanceof CreateTable create ? withCreator(create, user) : message;
    }

    /** Whether that is because there is no list; REJECTED where there is one by which he may not have it done. */
    private boolean isOpenTo(String user, SpecificRecord message) throws BigtableException {
        ClusterAccess now = cluster();
        if (now.list().isPresent() && !now.allows(user, Right.ADMIN)) {
            checkUser(user, message, now.list().get());
        }
        return now.list().isEmpty();
    }

    /** Makes the cluster's list what the message says. REJECTED where it was made from another than there is. */
    void change(ChangeAccess change, String user) throws BigtableException {
        ClusterAccess now = ClusterAccess.toReplace(locks);
        if (now.version() != change.getVersion()) {
            throw new RejectedException(
                    "the cluster's rights are at version " + now.version() + ", the change was made from version "
                            + change.getVersion(),
                    "look at them again");
        }
        now.replace(ClusterAccess.decode(change.getUsers()), locks);
        log.info("{} has changed the cluster's rights", user);
    }

    private static CreateTable withCreator(CreateTable create, String user) throws RejectedException {
        TableSchema draft = Schemas.decode(create.getTable());
        if (draft.access().isPresent() && draft.access().get().table().gives(Right.ADMIN)) {
            return create;
        }
        try {
            return withCreator(create, draft, user);
        } catch (IllegalArgumentException tooMany) {
            throw RejectedException.of(
                    "table " + draft.name() + ": with its creator, " + user, tooMany, "name fewer users");
        }
    }

    private static CreateTable withCreator(CreateTable create, TableSchema draft, String user) {
        AccessList list = draft.access().orElse(TableAccess.NOBODY).table().grant(user, Right.OF_TABLES);
        TableAccess access =
                new TableAccess(list, draft.access().map(TableAccess::families).orElseGet(TreeMap::new));
        return new CreateTable(Schemas.encode(draft.with(Optional.of(access))), create.getSplitRows());
    }

    /** What is judged by whether the cluster has a list, and not by what is in it. */
    private static boolean givesTableRights(SpecificRecord message) {
        return message instanceof CreateTable
                || (message instanceof AlterTable alter && alter.getTable().getAccess() != null);
    }

    /** What changes nothing. */
    private static boolean isQuestion(SpecificRecord message) {
        return message instanceof ClusterStatusRequest
                || message instanceof RecoveryRequest
                || message instanceof WorkRequest
                || message instanceof GarbageRequest
                || (message instanceof SweepRequest sweep && !sweep.getBegin());
    }

    /** Where everybody administers the cluster, a table's list would keep nobody out. */
    private void checkOpen(String user, SpecificRecord message) throws RejectedException {
        Optional<TableRecord> table = message instanceof CreateTable create
                ? Optional.of(create.getTable())
                : message instanceof AlterTable alter ? Optional.of(alter.getTable()) : Optional.empty();
        if (table.isPresent() && table.get().getAccess() != null) {
            throw new RejectedException(
                    "table " + table.get().getName()
                            + ": everybody administers the cluster, so rights for a table would bind nobody",
                    "first grant " + user + " the right admin of the cluster");
        }
    }

    private void checkUser(String user, SpecificRecord message, AccessList list) throws BigtableException {
        if (message instanceof CreateTable) {
            if (!list.allows(user, Right.CREATE)) {
                throw lacks(user, Right.CREATE, "");
            }
        } else if (message instanceof AlterTable alter) {
            checkAlter(user, alter.getTable());
        } else if (message instanceof DropTable drop) {
            checkTable(user, drop.getTableId());
        } else if (message instanceof TruncateTable truncate) {
            checkTable(user, truncate.getTableId());
        } else if (message instanceof MergeTablets merge) {
            checkTable(user, merge.getTableId());
        } else if (message instanceof WorkOnTable work) {
            checkTable(user, work.getTableId());
        } else if (message instanceof MoveTablet move) {
            checkTable(user, move.getTableId());
        } else if (message instanceof UndeleteTable undelete) {
            Optional<TableRecord> wanted = lastDropped(undelete);
            if (wanted.isPresent()) {
                checkTable(user, wanted.get().getId());
            }
        } else {
            throw lacks(user, Right.ADMIN, "");
        }
    }

    private void checkTable(String user, long tableId) throws BigtableException {
        Optional<TableRecord> record = table(tableId);
        if (record.isEmpty()) {
            // METADATA, or a table that is gone.
            throw lacks(user, Right.ADMIN, "");
        }
        TableSchema table = Schemas.decode(record.get());
        if (!administers(user, table)) {
            throw lacks(user, Right.ADMIN, " " + table.name());
        }
    }

    /** Who administers families alone changes these alone. */
    private void checkAlter(String user, TableRecord wanted) throws BigtableException {
        TableSchema now = Schemas.decode(table(wanted.getId())
                .orElseThrow(() -> new RejectedException(
                        "table " + Messages.name(wanted.getName()) + " does not exist", "list the tables that do")));
        if (administers(user, now)) {
            return;
        }
        Set<Integer> families = now.families().stream()
                .filter(family -> now.access().isPresent() && now.rightsOf(user).allow(Right.ADMIN, family))
                .map(FamilySchema::id)
                .collect(Collectors.toSet());
        if (families.isEmpty() || !isSameBeside(families, now, Schemas.decode(wanted))) {
            throw lacks(user, Right.ADMIN, " " + now.name());
        }
    }

    /** Whether two schemas differ in nothing but these families, their rights and what else is said of them. */
    private static boolean isSameBeside(Set<Integer> families, TableSchema now, TableSchema wanted) {
        return now.beside(families).equals(wanted.beside(families));
    }

    private static boolean administers(String user, TableSchema table) {
        return table.access().isPresent() && table.rightsOf(user).allow(Right.ADMIN);
    }

    private static RejectedException lacks(String user, Right right, String table) {
        boolean isOfCluster = table.isEmpty();
        return new RejectedException(
                (isOfCluster ? "the cluster" : "table" + table) + ": user " + user + " has not the right "
                        + right.text(),
                "an administrator of the " + (isOfCluster ? "cluster" : "table") + " may grant it");
    }
}
