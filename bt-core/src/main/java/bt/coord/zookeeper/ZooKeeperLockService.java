package bt.coord.zookeeper;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.coord.FileRights;
import bt.coord.Lock;
import bt.coord.LockService;
import bt.coord.SmallFile;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.Stat;

/**
 * The lock service on ZooKeeper, below {@code /bt/<cluster>}. An instance has one session at a time: when it expires its
 * locks are lost for good, and the instance goes on with a new session for everything else. It retries what a lost
 * connection left open, within one deadline a little shorter than the session; a refusal after such a retry may be the
 * echo of our own success and is UNAVAILABLE with an unknown outcome. Any thread may call.
 *
 * <p>Stands on ZooKeeper's own client, not on Curator: Curator replaces an expired session behind one handle, so that a
 * lock could be "renewed" by a session that never held it, and its retries and its connection states have their own
 * notion of time. Here a lock holds on to the very session that took it.
 */
public final class ZooKeeperLockService implements LockService {
    private static final long FAREWELL_MILLIS = 1000;

    /** Of so many directories the answer is far below what ZooKeeper takes for a message: what we ask for has few files in each. */
    private static final int AT_ONCE = 1_000;

    /** Of what may be large, if seldom: so many answers are on their way at a time. */
    private static final int FILES_AT_ONCE = 250;

    /** Answers to a replacement after which another look tells whose the node is. */
    private static final Set<Code> REPLACED = Set.of(Code.OK, Code.NONODE, Code.BADVERSION, Code.NODEEXISTS);

    private final Ensemble ensemble;
    private final Sessions sessions;

    private ZooKeeperLockService(Ensemble ensemble, Sessions sessions) {
        this.ensemble = ensemble;
        this.sessions = sessions;
    }

    /**
     * Connects to the cluster's directory, which need not exist yet. UNAVAILABLE when no session came about.
     *
     * @param quorum host:port of ZooKeeper's servers, parted by commas
     */
    public static ZooKeeperLockService connect(String quorum, String cluster, int sessionTimeoutMillis)
            throws BigtableException {
        return connect(quorum, cluster, sessionTimeoutMillis, Optional.empty());
    }

    /** The same with what the cluster's processes show ZooKeeper: what is created only they can change. */
    public static ZooKeeperLockService connect(
            String quorum, String cluster, int sessionTimeoutMillis, Optional<Secret> secret) throws BigtableException {
        Ensemble ensemble = new Ensemble(quorum, cluster, sessionTimeoutMillis, secret);
        ZooKeeperLockService service = new ZooKeeperLockService(ensemble, new Sessions(ensemble));
        try {
            service.sessions.call("", ensemble.deadlineNanos(), Requests.exists("/"));
            return service;
        } catch (UnavailableException absent) {
            service.close();
            throw absent;
        }
    }

    /** Names of the directories that this ZooKeeper has for clusters, sorted. One may be none, or one that is to be. */
    public List<String> clusters() throws BigtableException {
        return childrenOf(Ensemble.CLUSTERS.substring(0, Ensemble.CLUSTERS.length() - 1));
    }

    /** Another cluster's directory, through the same session, which is closed with this one. */
    public LockService of(String cluster) {
        return new ZooKeeperLockService(
                new Ensemble(ensemble.quorum(), cluster, ensemble.sessionTimeoutMillis(), ensemble.secret()), sessions);
    }

    @Override
    public Optional<SmallFile> read(String path) throws BigtableException {
        String absolute = ensemble.absolute(path);
        Reply<SmallFile> reply = sessions.read(absolute, ensemble.deadlineNanos(), Requests.read(absolute));
        return switch (reply.code()) {
            case OK -> Optional.of(reply.get());
            case NONODE -> Optional.empty();
            default -> throw unexpected(absolute, reply);
        };
    }

    @Override
    public List<Optional<SmallFile>> readEach(List<String> paths) throws BigtableException {
        List<Optional<SmallFile>> files = new ArrayList<>();
        for (int from = 0; from < paths.size(); from += FILES_AT_ONCE) {
            List<String> some = paths.subList(from, Math.min(paths.size(), from + FILES_AT_ONCE)).stream()
                    .map(ensemble::absolute)
                    .toList();
            Reply<List<Optional<SmallFile>>> reply =
                    sessions.read(some.get(0), ensemble.deadlineNanos(), Requests.readEach(some));
            if (!reply.is(Code.OK)) {
                throw unexpected(some.get(0), reply);
            }
            files.addAll(reply.get());
        }
        return files;
    }

    @Override
    public SmallFile create(String path, Bytes content) throws BigtableException {
        SmallFile.checkLength(path, content);
        String absolute = ensemble.absolute(path);
        long deadline = ensemble.deadlineNanos();
        boolean repeated = false;
        while (true) {
            Reply<Stat> reply = sessions.call(
                            absolute,
                            deadline,
                            Requests.create(absolute, content, ensemble.acl(), CreateMode.PERSISTENT))
                    .afterOthers(repeated);
            repeated = reply.repeated();
            switch (reply.code()) {
                case OK -> {
                    return Requests.file(content, reply.get());
                }
                case NONODE -> createDirectory(parent(absolute), deadline);
                case NODEEXISTS -> throw ensemble.refused(absolute, "exists", reply);
                default -> throw unexpected(absolute, reply);
            }
        }
    }

    private void createDirectory(String absolute, long deadline) throws BigtableException {
        while (true) {
            Reply<Stat> reply = sessions.call(
                    absolute,
                    deadline,
                    Requests.create(absolute, Bytes.EMPTY, ensemble.aclOf(absolute), CreateMode.PERSISTENT));
            switch (reply.code()) {
                case OK, NODEEXISTS -> {
                    return;
                }
                case NONODE -> createDirectory(parent(absolute), deadline);
                default -> throw unexpected(absolute, reply);
            }
        }
    }

    @Override
    public SmallFile write(String path, Bytes content, long version) throws BigtableException {
        SmallFile.checkLength(path, content);
        String absolute = ensemble.absolute(path);
        int wanted = ensemble.version(absolute, version);
        Reply<Stat> reply =
                sessions.call(absolute, ensemble.deadlineNanos(), Requests.write(absolute, content, wanted));
        return switch (reply.code()) {
            case OK -> Requests.file(content, reply.get());
            case BADVERSION -> throw ensemble.refused(absolute, "is no longer version " + version, reply);
            case NONODE -> throw ensemble.refused(absolute, "does not exist", reply);
            default -> throw unexpected(absolute, reply);
        };
    }

    @Override
    public void delete(String path) throws BigtableException {
        String absolute = ensemble.absolute(path);
        // Once: a second attempt might find, and delete, what another created after the first.
        Reply<Stat> reply = sessions.once(absolute, ensemble.deadlineNanos(), Requests.delete(absolute));
        switch (reply.code()) {
            case OK, NONODE -> {}
            case NOTEMPTY -> throw ensemble.refused(absolute, "has children", reply);
            default -> throw unexpected(absolute, reply);
        }
    }

    @Override
    public List<String> children(String path) throws BigtableException {
        return childrenOf(ensemble.absolute(path));
    }

    private List<String> childrenOf(String absolute) throws BigtableException {
        Reply<List<String>> reply = sessions.read(absolute, ensemble.deadlineNanos(), Requests.children(absolute));
        return switch (reply.code()) {
            case OK -> sorted(reply.get());
            case NONODE -> List.of();
            default -> throw unexpected(absolute, reply);
        };
    }

    private static List<String> sorted(List<String> children) {
        List<String> names = new ArrayList<>(children);
        Collections.sort(names);
        return Collections.unmodifiableList(names);
    }

    @Override
    public List<List<String>> childrenOfEach(List<String> paths) throws BigtableException {
        List<List<String>> children = new ArrayList<>();
        for (int from = 0; from < paths.size(); from += AT_ONCE) {
            List<String> some = paths.subList(from, Math.min(paths.size(), from + AT_ONCE)).stream()
                    .map(ensemble::absolute)
                    .toList();
            Reply<List<List<String>>> reply =
                    sessions.read(some.get(0), ensemble.deadlineNanos(), Requests.childrenOfEach(some));
            if (!reply.is(Code.OK)) {
                throw unexpected(some.get(0), reply);
            }
            reply.get().forEach(names -> children.add(sorted(names)));
        }
        return children;
    }

    @Override
    public Optional<Lock> tryLock(String path, Bytes owner) throws BigtableException {
        SmallFile.checkLength(path, owner);
        String absolute = ensemble.absolute(path);
        long deadline = ensemble.deadlineNanos();
        while (true) {
            Session session = sessions.current();
            if (!session.claim(absolute)) {
                return Optional.empty();
            }
            boolean taken = false;
            try {
                Reply<Stat> reply = take(session, absolute, owner, deadline);
                switch (reply.code()) {
                    case OK -> {
                        taken = true;
                        return Optional.of(new HeldLock(sessions, session, path, Requests.file(owner, reply.get())));
                    }
                    case NODEEXISTS -> {
                        return Optional.empty();
                    }
                    case NONODE ->
                        throw ensemble.unavailable(absolute, "there is no file to put the lock below", false);
                    case SESSIONEXPIRED -> {
                        // What it took died with it: the next session tries.
                    }
                    default -> throw unexpected(absolute, reply);
                }
            } finally {
                if (!taken) {
                    session.disclaim(absolute);
                }
            }
        }
    }

    /** OK: the node is this session's. NODEEXISTS: another's. */
    private Reply<Stat> take(Session session, String absolute, Bytes owner, long deadline) throws UnavailableException {
        while (true) {
            Reply<Stat> made = session.call(
                    absolute, deadline, Requests.create(absolute, owner, ensemble.acl(), CreateMode.EPHEMERAL));
            if (!made.is(Code.NODEEXISTS)) {
                return made;
            }
            Reply<Stat> found = session.call(absolute, deadline, Requests.exists(absolute));
            boolean gone = found.is(Code.NONODE);
            if (found.is(Code.OK) && sessions.hasOutlived(found.get().getEphemeralOwner())) {
                // Our own of an earlier session, which ZooKeeper would keep until that is over in its eyes too. In one
                // step: whoever looks for the lock must not find none.
                Reply<Stat> replaced = session.call(
                        absolute,
                        deadline,
                        Requests.replace(
                                absolute, owner, ensemble.acl(), found.get().getVersion()));
                if (!REPLACED.contains(replaced.code())) {
                    return replaced;
                }
            } else if (!gone) {
                // Ours already: an attempt before this one was done and its answer lost.
                boolean others = found.is(Code.OK) && found.get().getEphemeralOwner() != session.id();
                return others ? made : found;
            }
        }
    }

    @Override
    public Watch watch(String path, Runnable changed) throws BigtableException {
        return sessions.watch(ensemble.absolute(path), changed);
    }

    @Override
    public Optional<FileRights> rights() {
        return Optional.of(new NodeRights(ensemble, sessions));
    }

    @Override
    public void close() {
        sessions.close(FAREWELL_MILLIS);
    }

    /** For tests that end it at the server's side. */
    long sessionId() throws BigtableException {
        return sessions.current().id();
    }

    private BigtableException unexpected(String absolute, Reply<?> reply) {
        return switch (reply.code()) {
            case NOAUTH, INVALIDACL ->
                new RejectedException(
                        ensemble.subject(absolute) + ": not permitted (" + reply.code()
                                + "): the cluster has a secret, which this process does not know",
                        Secret.ADVICE);
            case NOCHILDRENFOREPHEMERALS ->
                new RejectedException(
                        ensemble.subject(absolute) + ": nothing can be created below a lock",
                        "choose a path beside it");
            default -> ensemble.unavailable(absolute, "answered " + reply.code(), true);
        };
    }

    private static String parent(String absolute) {
        return absolute.substring(0, absolute.lastIndexOf('/'));
    }
}
