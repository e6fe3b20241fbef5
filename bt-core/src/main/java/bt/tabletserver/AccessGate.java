package bt.tabletserver;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.metadata.ClusterAccess;
import bt.metadata.MetadataSchema;
import bt.model.Filter;
import bt.model.FilterUse;
import bt.model.Right;
import bt.model.TableRights;
import bt.model.TableSchema;
import bt.record.FlushTable;
import bt.record.LearnTable;
import bt.record.ServerStatusRequest;
import bt.record.SizesRequest;
import bt.record.SplitTablet;
import bt.tablet.Shown;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.avro.specific.SpecificRecord;

/**
 * Who may do what at this server (section 2 of the paper): by the lists in a table's schema, which is at hand wherever rows
 * are read or written, and by the cluster's own list. Whoever is of this process's user is one of the cluster's servers, or
 * its owner, and may do everything. A table without lists costs one comparison. Any thread.
 */
final class AccessGate {
    private final String owner;
    private final Supplier<ClusterAccess> cluster;

    /** Most requests are of the user of the last one. */
    private volatile TableUser last;

    AccessGate(String owner, Supplier<ClusterAccess> cluster) {
        this.owner = owner;
        this.cluster = cluster;
        this.last = new TableUser(owner, MetadataSchema.SCHEMA, TableRights.ALL);
    }

    /** The user, with the rights that the table's lists give; empty for whom there is nothing to look at. */
    Optional<TableUser> of(String user, TableSchema schema) {
        if (schema.access().isEmpty() || user.equals(owner)) {
            return Optional.empty();
        }
        TableUser known = last;
        if (!isOf(known, user, schema)) {
            known = new TableUser(user, schema, schema.rightsOf(user));
            last = known;
        }
        return Optional.of(known);
    }

    /** Of this very schema: an equal one would do, and costs a look at all families to tell. */
    @SuppressWarnings("ReferenceEquality")
    private static boolean isOf(TableUser known, String user, TableSchema schema) {
        return known.schema() == schema && known.user().equals(user);
    }

    /**
     * The families that a read's filter is shown. METADATA is for everybody to read, for everybody has to find rows, and its scripts
     * are for who administers the cluster: REJECTED. Each may work for seconds on the few threads that all need who look for rows.
     */
    Shown shown(String user, TableSchema schema, Filter filter) throws BigtableException {
        if (schema.id() == TableSchema.METADATA_ID && FilterUse.of(filter).runsScript()) {
            checkAdministrator(user);
        }
        Optional<TableUser> known = of(user, schema);
        return known.isEmpty() ? Shown.ALL : known.get().shown(filter);
    }

    /** The families whose sizes the user is told. */
    Shown weighed(String user, TableSchema schema) {
        Optional<TableUser> known = of(user, schema);
        return known.isEmpty() || administersCluster(user)
                ? Shown.ALL
                : known.get().weighed();
    }

    /** REJECTED unless the write may be done. For who carries it out: a retry of what was done already is not asked again. */
    void check(WriteEntry entry, TableSchema schema) throws RejectedException {
        Optional<TableUser> user = of(entry.user(), schema);
        if (user.isPresent()) {
            new WriteRights(user.get()).check(entry.write());
        }
    }

    /** Of the cluster's list, as far as this server knows. */
    long version() {
        return cluster.get().version();
    }

    /** REJECTED unless the user is an administrator of the cluster; UNAVAILABLE before anybody knows. */
    void checkAdministrator(String user) throws BigtableException {
        if (user.equals(owner)) {
            return;
        }
        ClusterAccess known = cluster.get();
        if (known.equals(ClusterAccess.UNKNOWN)) {
            throw new UnavailableException("this server does not know the cluster's rights yet", Outcome.NOT_APPLIED);
        }
        if (!known.allows(user, Right.ADMIN)) {
            throw new RejectedException(
                    "the cluster: user " + user + " has not the right admin",
                    "an administrator of the cluster may grant it");
        }
    }

    /**
     * REJECTED unless the user may send this. The schema is that of the table that the message names, where it is here. Where
     * it is not, who administers the table alone is told to look again: UNAVAILABLE.
     */
    void checkControl(String user, SpecificRecord message, Supplier<Optional<TableSchema>> schema)
            throws BigtableException {
        if (message instanceof SizesRequest
                || message instanceof LearnTable
                || (message instanceof ServerStatusRequest asked && asked.getMasterEpoch() == 0)) {
            return;
        }
        if (isOfOneTable(message)) {
            Optional<TableSchema> table = schema.get();
            if (table.isPresent() && administers(user, table.get())) {
                return;
            }
            if (table.isEmpty() && !administersCluster(user)) {
                // Perhaps its tablet has just moved: the lists of the table are known where that is now.
                throw new UnavailableException(
                        "no tablet of the table is served here: locate it again", Outcome.NOT_APPLIED);
            }
        }
        checkAdministrator(user);
    }

    /**
     * What who administers the table may ask for. As a master he may not: of the latest one that this server has heard of it takes
     * commands, and of none before it.
     */
    private static boolean isOfOneTable(SpecificRecord message) {
        return message instanceof FlushTable || (message instanceof SplitTablet split && split.getMasterEpoch() < 0);
    }

    private static boolean administers(String user, TableSchema table) {
        return table.access().isPresent() && table.rightsOf(user).allow(Right.ADMIN);
    }

    private boolean administersCluster(String user) {
        return user.equals(owner) || cluster.get().allows(user, Right.ADMIN);
    }
}
