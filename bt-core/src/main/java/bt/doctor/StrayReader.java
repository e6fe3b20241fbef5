package bt.doctor;

import bt.base.BigtableException;
import bt.doctor.ClusterReader.Look;
import bt.doctor.Expansion.Living;
import bt.model.TabletId;
import bt.record.Phase;
import bt.record.TableRecord;
import bt.record.TabletReport;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Finds what servers serve that METADATA does not know, once METADATA has been read whole. One thread, once. */
final class StrayReader {
    private final ServerReader servers;
    private final Walk walk;
    private final Look look;

    StrayReader(ServerReader servers, Walk walk, Look look) {
        this.servers = servers;
        this.walk = walk;
        this.look = look;
    }

    void examine(Suspicions suspicions) throws BigtableException, InterruptedException {
        Map<Long, Set<Long>> left = new HashMap<>();
        look.claims().forEachLeft((server, hash) -> left.computeIfAbsent(server.epoch(), fresh -> new HashSet<>())
                .add(hash));
        for (ServerSight server : look.cluster().servers()) {
            Set<Long> hashes = left.getOrDefault(server.epoch(), Set.of());
            for (TabletId id : hashes.isEmpty() ? List.<TabletId>of() : served(server, hashes)) {
                suspicions.examine(new Strays(), claim(server, id), () -> again(server, id));
            }
        }
    }

    private Optional<StrayClaim> again(ServerSight server, TabletId id) throws BigtableException, InterruptedException {
        return served(server, Set.of(Claims.hash(id))).contains(id) ? Optional.of(claim(server, id)) : Optional.empty();
    }

    private StrayClaim claim(ServerSight server, TabletId id) throws BigtableException, InterruptedException {
        String table = Optional.ofNullable(look.cluster().tables().get(id.tableId()))
                .map(TableRecord::getName)
                .orElse("#" + id.tableId());
        return new StrayClaim(
                id, server.id(), server.epoch(), table, walk.find(id).map(Living::row));
    }

    private List<TabletId> served(ServerSight server, Set<Long> hashes) throws BigtableException, InterruptedException {
        List<TabletId> found = new ArrayList<>();
        Optional<ServerSight> seen = servers.look(server.id(), server.epoch(), status -> {
            for (TabletReport report : status.getTablets()) {
                TabletId id = Claims.id(report);
                if (report.getPhase() == Phase.SERVING && hashes.contains(Claims.hash(id))) {
                    found.add(id);
                }
            }
        });
        return seen.filter(ServerSight::hasAnswered).isPresent() ? found : List.of();
    }
}
