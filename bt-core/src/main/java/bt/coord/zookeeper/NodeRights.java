package bt.coord.zookeeper;

import bt.base.BigtableException;
import bt.base.RejectedException;
import bt.coord.FileRights;
import bt.coord.Paths;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;

/** The access lists of a cluster's nodes. Any thread. */
final class NodeRights implements FileRights {
    private final Ensemble ensemble;
    private final Sessions sessions;

    NodeRights(Ensemble ensemble, Sessions sessions) {
        this.ensemble = ensemble;
        this.sessions = sessions;
    }

    @Override
    public Optional<String> wrong(String path) throws BigtableException {
        Optional<Requests.Access> found = read(absolute(path));
        if (found.isEmpty()) {
            return Optional.empty();
        }
        List<ACL> wanted = wanted();
        return Acls.areEqual(found.get().list(), wanted)
                ? Optional.empty()
                : Optional.of("ZooKeeper gives " + Acls.text(found.get().list()) + ", not " + Acls.text(wanted));
    }

    @Override
    public void mend(String path) throws BigtableException {
        String absolute = absolute(path);
        Optional<Requests.Access> found = read(absolute);
        if (found.isEmpty()) {
            return;
        }
        if (!Acls.areEqual(wanted(), ensemble.acl())) {
            throw new RejectedException(
                    ensemble.subject(absolute) + ": the cluster has a secret, which we do not know", Secret.ADVICE);
        }
        Reply<Stat> reply = sessions.call(
                absolute,
                ensemble.deadlineNanos(),
                Requests.setAccess(absolute, ensemble.acl(), found.get().version()));
        switch (reply.code()) {
            case OK, NONODE -> {}
            case BADVERSION -> throw ensemble.refused(absolute, "somebody changes its rights", reply);
            default -> throw unexpected(absolute, reply);
        }
    }

    /** Who does not know the secret sees whether there is one, and of every node the same without its digest. */
    private List<ACL> wanted() throws BigtableException {
        return ensemble.secret().isPresent()
                ? ensemble.acl()
                : read(ensemble.absolute(Paths.INSTANCE))
                        .map(Requests.Access::list)
                        .orElse(ensemble.acl());
    }

    private String absolute(String path) {
        return path.isEmpty() ? ensemble.directory() : ensemble.absolute(path);
    }

    private Optional<Requests.Access> read(String absolute) throws BigtableException {
        Reply<Requests.Access> reply = sessions.read(absolute, ensemble.deadlineNanos(), Requests.access(absolute));
        return switch (reply.code()) {
            case OK -> Optional.of(reply.get());
            case NONODE -> Optional.empty();
            default -> throw unexpected(absolute, reply);
        };
    }

    private BigtableException unexpected(String absolute, Reply<?> reply) {
        return reply.is(Code.NOAUTH)
                ? new RejectedException(
                        ensemble.subject(absolute) + ": its rights are not ours to see or change", Secret.ADVICE)
                : ensemble.unavailable(absolute, "answered " + reply.code(), true);
    }
}
