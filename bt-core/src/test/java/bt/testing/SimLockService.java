package bt.testing;

import bt.coord.LockService;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * ZooKeeper in memory and in virtual time. Each client has a session that the service alone declares expired, when it
 * heard nothing of the client for its time-out: because its process crashed, stood still, or was cut off. The client
 * learns it when it is heard again. Requests and answers take time and may be lost or late.
 *
 * <p>There is one store and no follower that lags: {@link LockService} promises what was written before the call, and its
 * adapter sends a sync before each read and each list, on the session that then reads. What a client can have of the
 * past is an answer that takes seconds ({@link Mishap#LOCK_ANSWER_OLD}): true when the service gave it, and others may
 * have written before it comes. Watches tell late, once for many changes, and nothing of what changed; whoever is told
 * reads again. Not modelled: ZooKeeper's sync asks the leader and no quorum, so that a leader that was deposed and does not
 * know it yet may answer with what was there before.
 */
public final class SimLockService {
    private static final long SWEEP_MILLIS = 50;
    private static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final SimScheduler scheduler;
    private final SimLockStore store;
    private final RandomGenerator random;
    private final List<SimSession> sessions = new ArrayList<>();
    private final List<SimLockClient> clients = new ArrayList<>();
    private final Set<String> cutOff = new HashSet<>();
    private SimFaults faults = SimFaults.NONE;
    private long downUntilNanos;

    public SimLockService(SimScheduler scheduler) {
        this.scheduler = scheduler;
        this.random = scheduler.random("lock service");
        this.store = new SimLockStore(scheduler, path -> clients.forEach(client -> client.changed(path)));
        scheduler.process("lock-service").start("expiry", this::sweepForEver);
    }

    /** A client of a process, with a session of its own. */
    public LockService session(String process, long timeoutMillis) {
        SimLockClient client = new SimLockClient(this, process, timeoutMillis);
        clients.add(client);
        scheduler.whenCrashed(process, client::abandon);
        return client;
    }

    public void setFaults(SimFaults faults) {
        this.faults = faults;
    }

    /** Nobody is answered for a while. Sessions outlive it: the new leader gives each its full time-out again. */
    public void stopFor(long millis) {
        scheduler.note("lock service down for " + millis + " ms");
        downUntilNanos = nowNanos() + TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /** The process neither reaches the service nor hears of it. */
    public void cutOff(String process) {
        scheduler.note("lock service cut off from " + process);
        cutOff.add(process);
    }

    public void reconnect(String process) {
        scheduler.note("lock service reconnected to " + process);
        cutOff.remove(process);
    }

    /** As if nothing had been heard of the client for its time-out. */
    public void expire(LockService client) {
        expire(((SimLockClient) client).session());
    }

    void expire(SimSession session) {
        if (!session.expired) {
            scheduler.note("session of " + session.client.process() + " expires");
            scheduler.count(Mishap.SESSION_EXPIRED);
            session.expired = true;
            session.expiredNanos = nowNanos();
            store.end(session);
        }
    }

    /** The client knows now that its session has expired. */
    void learnt(SimSession session) {
        if (nowNanos() - session.expiredNanos > LATE_NANOS) {
            scheduler.count(Mishap.EXPIRY_LEARNT_LATE);
        }
    }

    private void sweepForEver() throws InterruptedException {
        while (true) {
            scheduler.pause(SWEEP_MILLIS);
            List.copyOf(sessions).forEach(this::sweep);
        }
    }

    private void sweep(SimSession session) {
        String process = session.client.process();
        boolean silent = session.abandoned || scheduler.isPaused(process) || cutOff.contains(process);
        if (isDown() || !silent) {
            session.heardNanos = nowNanos();
        }
        if (!isDown() && !silent) {
            session.client.heardFromService();
        } else if (nowNanos() - session.heardNanos > session.timeoutNanos) {
            expire(session);
        }
        if (session.expired && (session.abandoned || session.client.session() != session)) {
            sessions.remove(session);
        }
    }

    SimSession open(SimLockClient client, long timeoutNanos) {
        SimSession session = new SimSession(client, timeoutNanos, nowNanos());
        sessions.add(session);
        return session;
    }

    boolean reaches(String process) {
        return !isDown() && !cutOff.contains(process);
    }

    private boolean isDown() {
        return downUntilNanos > nowNanos();
    }

    SimLockStore store() {
        return store;
    }

    SimScheduler scheduler() {
        return scheduler;
    }

    SimFaults faults() {
        return faults;
    }

    RandomGenerator random() {
        return random;
    }

    long nowNanos() {
        return scheduler.elapsed().toNanos();
    }
}
