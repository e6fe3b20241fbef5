package bt.doctor;

import bt.base.RejectedException;
import bt.coord.Paths;
import bt.metadata.Schemas;
import bt.model.TableSchema;
import bt.record.TablePhase;
import bt.record.TableRecord;
import java.util.ArrayList;
import java.util.List;

/**
 * 10 too: the cluster's list of rights, where there is one, can be read and names an administrator; tables have lists only
 * where the cluster has one, lists that can be, and files that can be read; every server goes by the list that there is.
 */
final class Rights implements Invariant<ClusterFacts> {
    /** A server hears of a change a moment later. */
    @Override
    public boolean mayPass() {
        return true;
    }

    @Override
    public List<Finding> check(ClusterFacts cluster) {
        List<Finding> found = new ArrayList<>();
        cluster.rights().wrong().ifPresent(fact -> add(found, Paths.ACCESS, fact));
        cluster.damagedTables().forEach((file, fact) -> add(found, file, fact));
        for (TableRecord table : cluster.tables().values()) {
            if (table.getPhase() == TablePhase.ACTIVE && table.getAccess() != null) {
                check(table, cluster.rights().isOpen(), found);
            }
        }
        for (ServerSight server : cluster.servers()) {
            server.answered()
                    .filter(answer -> answer.epoch() == server.epoch())
                    .filter(answer -> answer.rightsVersion() != cluster.rights().version())
                    .ifPresent(answer -> add(
                            found,
                            server.id(),
                            "the server of epoch " + server.epoch() + " goes by version " + answer.rightsVersion()
                                    + " of the cluster's rights, there is version "
                                    + cluster.rights().version()));
        }
        return found;
    }

    private static void check(TableRecord table, boolean isOpen, List<Finding> found) {
        String file = Paths.table(table.getId());
        if (isOpen) {
            add(
                    found,
                    file,
                    "table " + table.getName() + " has lists of rights, and everybody administers the cluster");
        }
        try {
            TableSchema unused = Schemas.decode(table);
        } catch (RejectedException wrong) {
            add(found, file, String.valueOf(wrong.getMessage()));
        }
    }

    private static void add(List<Finding> found, String name, String fact) {
        found.add(new Finding(Rule.MEMBERSHIP, Place.file(name), fact));
    }
}
