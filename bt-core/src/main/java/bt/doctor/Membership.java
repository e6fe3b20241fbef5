package bt.doctor;

import bt.doctor.ClusterFacts.MasterSight;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * 10: lock service and file store are of one cluster, a master holds its lock and is the one that the others are told of, and
 * who has a server file, which can be read, holds its lock and answers.
 */
final class Membership implements Invariant<ClusterFacts> {
    @Override
    public boolean mayPass() {
        return true;
    }

    @Override
    public List<Finding> check(ClusterFacts cluster) {
        List<Finding> found = new ArrayList<>();
        if (!cluster.lockedInstance().equals(cluster.filedInstance())) {
            add(
                    found,
                    "instance",
                    "the lock service holds " + text(cluster.lockedInstance()) + ", the file store "
                            + text(cluster.filedInstance()));
        }
        if (cluster.master().filter(MasterSight::locked).isEmpty()) {
            add(found, "master", "no master holds its lock");
        }
        cluster.master().flatMap(MasterSight::wrong).ifPresent(fact -> add(found, "master", fact));
        for (ServerSight server : cluster.servers()) {
            server.damage().ifPresent(fact -> add(found, server.id(), fact));
            wrong(server).ifPresent(fact -> add(found, server.id(), fact));
        }
        return found;
    }

    private static Optional<String> wrong(ServerSight server) {
        String who = "the server of epoch " + server.epoch();
        if (!server.locked()) {
            return Optional.of(who + " has a server file and no lock");
        }
        if (server.answered().isEmpty()) {
            return Optional.of(who + " holds its lock and " + server.silence());
        }
        if (server.answered().get().epoch() != server.epoch()) {
            return Optional.of(who + " holds its lock, at its address answers one of epoch "
                    + server.answered().get().epoch());
        }
        return server.answered().get().holdsLock()
                ? Optional.empty()
                : Optional.of(who + " holds its lock and does not know it");
    }

    private static void add(List<Finding> found, String name, String fact) {
        found.add(new Finding(Rule.MEMBERSHIP, Place.file(name), fact));
    }

    private static String text(Optional<String> instance) {
        return instance.map(id -> "the instance " + id).orElse("no instance");
    }
}
