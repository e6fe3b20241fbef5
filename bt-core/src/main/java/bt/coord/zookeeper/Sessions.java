package bt.coord.zookeeper;

import bt.base.BigtableException;
import bt.base.Scheduler.WorkerPool;
import bt.base.ThreadScheduler;
import bt.base.UnavailableException;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.Watcher.WatcherType;
import org.apache.zookeeper.data.Stat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One session after another, the watches that every one of them carries, and the thread that tells who watches. */
final class Sessions {
    private static final Logger LOG = LoggerFactory.getLogger(Sessions.class);

    /** Each waits to be told once at most. */
    private static final int MAX_WATCHES = 10_000;

    private static final int MAX_OUTLIVED = 16;

    private final Ensemble ensemble;
    private final ThreadScheduler scheduler = new ThreadScheduler();
    private final Set<FileWatch> watches = ConcurrentHashMap.newKeySet();
    /** Not ZooKeeper's event thread: who is told of a change reads at once, and that thread brings the answer. */
    private final WorkerPool teller;

    private final ReentrantLock change = new ReentrantLock();

    @GuardedBy("change") private Session session;

    /** The last sessions that expired. */
    @GuardedBy("change") private final Deque<Long> outlived = new ArrayDeque<>();

    @GuardedBy("change") private boolean closed;

    Sessions(Ensemble ensemble) throws UnavailableException {
        this.ensemble = ensemble;
        this.teller = scheduler.pool("zookeeper-watches", 1, MAX_WATCHES);
        this.session = Session.open(ensemble, scheduler, this::replace);
    }

    Ensemble ensemble() {
        return ensemble;
    }

    /** A session that had not ended a moment ago. */
    Session current() throws UnavailableException {
        change.lock();
        try {
            if (closed) {
                throw ensemble.unavailable("", "this client is closed", false);
            }
            if (session.hasEnded()) {
                if (session.hasExpired()) {
                    outlived.add(session.id());
                    if (outlived.size() > MAX_OUTLIVED) {
                        outlived.remove();
                    }
                }
                session = Session.open(ensemble, scheduler, this::replace);
                watches.forEach(this::rearm);
            }
            return session;
        } finally {
            change.unlock();
        }
    }

    /** Whether a session was ours and expired: what it holds, nobody holds. */
    boolean hasOutlived(long sessionId) {
        change.lock();
        try {
            return outlived.contains(sessionId);
        } finally {
            change.unlock();
        }
    }

    /** Calls in whatever session lives. */
    <T> Reply<T> call(String path, long deadlineNanos, Attempt<T> attempt) throws UnavailableException {
        boolean repeated = false;
        while (true) {
            Reply<T> reply = current().call(path, deadlineNanos, attempt).afterOthers(repeated);
            if (!reply.is(Code.SESSIONEXPIRED)) {
                return reply;
            }
            repeated = reply.repeated();
        }
    }

    /** The same of what changes nothing: NOT_APPLIED when the time is over, whoever may have heard it. */
    <T> Reply<T> read(String path, long deadlineNanos, Attempt<T> attempt) throws BigtableException {
        try {
            return call(path, deadlineNanos, attempt);
        } catch (UnavailableException late) {
            throw late.notApplied();
        }
    }

    /** Sends once: for what must not happen twice. */
    <T> Reply<T> once(String path, long deadlineNanos, Attempt<T> attempt) throws UnavailableException {
        while (true) {
            Reply<T> reply = current().once(path, deadlineNanos, attempt);
            // The session was over before anything was sent.
            if (!reply.is(Code.SESSIONEXPIRED)) {
                return reply;
            }
        }
    }

    FileWatch watch(String path, Runnable changed) throws UnavailableException {
        FileWatch watch = new FileWatch(this, path, changed);
        if (watches.size() >= MAX_WATCHES) {
            throw ensemble.unavailable(path, "cannot be watched: " + MAX_WATCHES + " files are", false);
        }
        watches.add(watch);
        Reply<Stat> reply;
        try {
            reply = call(path, ensemble.deadlineNanos(), Requests.watch(watch));
        } catch (UnavailableException unarmed) {
            watch.close();
            throw unarmed;
        }
        if (!reply.is(Code.OK)) {
            watch.close();
            throw ensemble.unavailable(path, "answered " + reply.code() + " to a watch", false);
        }
        return watch;
    }

    void tell(Runnable run) {
        try {
            teller.execute(run);
        } catch (RejectedExecutionException closing) {
            LOG.debug("a change that nobody hears of any more", closing);
        }
    }

    void forget(FileWatch watch) {
        watches.remove(watch);
        change.lock();
        try {
            session.zooKeeper()
                    .removeWatches(watch.path(), watch, WatcherType.Any, true, (code, asked, context) -> {}, null);
        } finally {
            change.unlock();
        }
    }

    /** Ends a session of which we do not know what it holds: its locks go at its time-out at the latest. */
    void abandon(Session doubtful) {
        doubtful.end();
        replace();
    }

    void close(long farewellMillis) {
        Session last;
        change.lock();
        try {
            closed = true;
            last = session;
        } finally {
            change.unlock();
        }
        try {
            last.end().join(farewellMillis);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
        teller.close();
        scheduler.close();
    }

    /** At once, not with the next call: watches must not wait for one. */
    private void replace() {
        try {
            current();
        } catch (UnavailableException closedOrUnusable) {
            LOG.debug("no new session", closedOrUnusable);
        }
    }

    @GuardedBy("change") private void rearm(FileWatch watch) {
        arm(watch, session);
    }

    private void arm(FileWatch watch, Session in) {
        Requests.watch(in.zooKeeper(), watch, code -> {
            if (code == Code.OK) {
                watch.tell();
            } else if (code == Code.CONNECTIONLOSS && !in.hasEnded()) {
                arm(watch, in);
            }
        });
    }
}
