package bt.coord.zookeeper;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Clock;
import bt.base.FencedException;
import bt.coord.Lock;
import bt.coord.SmallFile;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.Stat;

/** A lock: an ephemeral node of one session, and lost with it. Any thread. */
final class HeldLock implements Lock {
    private static final long RELEASE_MILLIS = 250;

    private final Sessions sessions;
    private final Session session;
    private final String path;
    private final String absolute;
    private final Bytes owner;
    private final long transaction;
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile boolean lost;

    /** Of two that renew at a time one finds another version than it knew, and looks. */
    private volatile int version;

    HeldLock(Sessions sessions, Session session, String path, SmallFile node) {
        this.sessions = sessions;
        this.session = session;
        this.path = path;
        this.absolute = sessions.ensemble().absolute(path);
        this.owner = node.content();
        this.transaction = node.createdTransaction();
        this.version = (int) node.version();
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public long transaction() {
        return transaction;
    }

    @Override
    public void renew() throws BigtableException {
        long deadline = sessions.ensemble().deadlineNanos();
        while (true) {
            checkHeld();
            Reply<Stat> reply = session.call(absolute, deadline, Requests.write(absolute, owner, version));
            switch (reply.code()) {
                case OK -> {
                    // Someone deleted our node by force and another's stands there, at the same version.
                    if (reply.get().getCzxid() != transaction) {
                        throw fenced("is another's");
                    }
                    version = reply.get().getVersion();
                    return;
                }
                case NONODE -> throw fenced("was deleted");
                case SESSIONEXPIRED -> throw fenced("was lost with its session");
                case BADVERSION -> version = versionLeftByAnUnheardRenewal(deadline);
                default -> throw sessions.ensemble().unavailable(absolute, "answered " + reply.code(), true);
            }
        }
    }

    @Override
    public void create(String file, Bytes content) throws BigtableException {
        SmallFile.checkLength(file, content);
        String target = sessions.ensemble().absolute(file);
        long deadline = sessions.ensemble().deadlineNanos();
        boolean repeated = false;
        while (true) {
            checkHeld();
            Reply<Stat> reply = session.call(
                            target,
                            deadline,
                            Requests.createWhile(
                                    held(), target, content, sessions.ensemble().acl()))
                    .afterOthers(repeated);
            repeated = reply.repeated();
            switch (reply.code()) {
                case OK -> {
                    return;
                }
                case NODEEXISTS -> throw sessions.ensemble().refused(target, "exists", reply);
                // Another thread has renewed it, or it is lost: the renewal tells.
                case BADVERSION -> renew();
                case NONODE -> {
                    renew();
                    throw sessions.ensemble().unavailable(target, "there is no directory for it", repeated);
                }
                case SESSIONEXPIRED -> throw fenced("was lost with its session");
                default -> throw sessions.ensemble().unavailable(target, "answered " + reply.code(), true);
            }
        }
    }

    @Override
    public SmallFile write(String file, Bytes content, long fileVersion) throws BigtableException {
        SmallFile.checkLength(file, content);
        Ensemble ensemble = sessions.ensemble();
        String target = ensemble.absolute(file);
        int wanted = ensemble.version(target, fileVersion);
        long deadline = ensemble.deadlineNanos();
        boolean repeated = false;
        while (true) {
            checkHeld();
            Reply<Stat> reply = session.call(target, deadline, Requests.writeWhile(held(), target, content, wanted))
                    .afterOthers(repeated);
            repeated = reply.repeated();
            switch (reply.code()) {
                case OK -> {
                    return Requests.file(content, reply.get());
                }
                case BADVERSION, NONODE -> {
                    // Of the lock or of the file: the renewal tells of the one, a look of the other.
                    renew();
                    Reply<Stat> found = session.call(target, deadline, Requests.exists(target))
                            .afterOthers(repeated);
                    if (found.is(Code.NONODE)) {
                        throw ensemble.refused(target, "does not exist", found);
                    }
                    if (found.is(Code.OK) && found.get().getVersion() != wanted) {
                        throw ensemble.refused(target, "is no longer version " + wanted, found);
                    }
                }
                case SESSIONEXPIRED -> throw fenced("was lost with its session");
                default -> throw ensemble.unavailable(target, "answered " + reply.code(), true);
            }
        }
    }

    @Override
    public void deleteWithChildren(String file) throws BigtableException {
        Ensemble ensemble = sessions.ensemble();
        String target = ensemble.absolute(file);
        long deadline = ensemble.deadlineNanos();
        while (true) {
            checkHeld();
            Reply<List<String>> children = session.call(target, deadline, Requests.children(target));
            if (children.is(Code.NONODE)) {
                // What is gone needs no proof, but who asks takes it for one.
                renew();
                return;
            }
            if (children.is(Code.OK)) {
                List<String> all = new ArrayList<>();
                children.get().forEach(child -> all.add(target + "/" + child));
                all.add(target);
                // Once: a second attempt might find, and delete, what another created after the first.
                Reply<Stat> reply = session.once(target, deadline, Requests.deleteAllWhile(held(), all));
                switch (reply.code()) {
                    case OK -> {
                        return;
                    }
                    // The lock was renewed by another thread, or is lost: the renewal tells. Or something came or went
                    // meanwhile: another look.
                    case BADVERSION, NONODE, NOTEMPTY -> renew();
                    case SESSIONEXPIRED -> throw fenced("was lost with its session");
                    default -> throw ensemble.unavailable(target, "answered " + reply.code(), true);
                }
            } else if (children.is(Code.SESSIONEXPIRED)) {
                throw fenced("was lost with its session");
            } else {
                throw ensemble.unavailable(target, "answered " + children.code(), false);
            }
        }
    }

    private Requests.Held held() {
        return new Requests.Held(absolute, version);
    }

    private void checkHeld() throws FencedException {
        if (closed.get()) {
            throw fenced("was released");
        }
        if (lost) {
            throw fenced("was lost");
        }
    }

    private int versionLeftByAnUnheardRenewal(long deadline) throws BigtableException {
        Reply<Stat> reply = session.call(absolute, deadline, Requests.exists(absolute));
        if (reply.is(Code.OK)
                && reply.get().getEphemeralOwner() == session.id()
                && reply.get().getCzxid() == transaction) {
            return reply.get().getVersion();
        }
        throw fenced("is another's");
    }

    @Override
    public void close() {
        if (closed.getAndSet(true) || lost || session.hasEnded()) {
            return;
        }
        long deadline = Clock.system().nanos() + TimeUnit.MILLISECONDS.toNanos(RELEASE_MILLIS);
        try {
            Reply<Stat> reply = session.once(absolute, deadline, Requests.delete(absolute));
            if (reply.is(Code.OK) || reply.is(Code.NONODE)) {
                session.disclaim(absolute);
                return;
            }
        } catch (BigtableException unheard) {
            // In doubt the session ends, below. A second delete might hit the lock of whoever came next.
        }
        sessions.abandon(session);
    }

    private FencedException fenced(String fact) {
        if (!lost) {
            lost = true;
            session.disclaim(absolute);
        }
        return new FencedException(sessions.ensemble().subject(absolute) + ": the lock " + fact);
    }
}
