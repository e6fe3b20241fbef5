package bt.doctor;

import bt.metadata.ClusterAccess;
import bt.record.TableRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The cluster without its tablets: its two ids, its master, its servers, its tables, and of each table's file that cannot be read,
 * by its path, what is wrong with it.
 */
record ClusterFacts(
        Optional<String> lockedInstance,
        Optional<String> filedInstance,
        Optional<MasterSight> master,
        List<ServerSight> servers,
        Map<Long, TableRecord> tables,
        Map<String, String> damagedTables,
        RightsSight rights)
        implements Facts {
    ClusterFacts {
        servers = List.copyOf(servers);
    }

    /**
     * The cluster's list of rights: its version, that of no file where there is none; what of it breaks a rule, empty where
     * nothing does.
     */
    record RightsSight(long version, Optional<String> wrong) {
        boolean isOpen() {
            return version == ClusterAccess.NO_FILE;
        }
    }

    /** The file of the master: its epoch, whether its lock is held, and why it does not name who holds that. */
    record MasterSight(long epoch, boolean locked, Optional<String> wrong) {}

    /** The living server of that id and epoch. */
    Optional<ServerSight> server(String id, long epoch) {
        return servers.stream()
                .filter(server -> server.epoch() == epoch && server.id().equals(id))
                .findFirst();
    }

    /** Servers come and go; who is wrong stays the same. */
    @Override
    public String version() {
        return "";
    }
}
