package bt.coord.zookeeper;

import bt.base.Clock;
import bt.base.Scheduler;
import bt.base.Scheduler.Worker;
import bt.base.UnavailableException;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;

/**
 * One ZooKeeper session, from its first connection to its end; it never becomes another. ZooKeeper's event thread is the
 * only one that opens and shuts the gate; anyone may end the session.
 */
final class Session implements Watcher {
    private final Ensemble ensemble;
    private final Scheduler scheduler;
    private final ZooKeeper zooKeeper;
    private final Runnable whenExpired;
    /** Done while connected, and for ever once ended. */
    private volatile CompletableFuture<Void> gate = new CompletableFuture<>();

    private volatile boolean ended;
    private volatile boolean expired;
    /** Paths of locks that this session holds, is trying for, or has not surely released. */
    private final Set<String> claimed = ConcurrentHashMap.newKeySet();

    private Session(Ensemble ensemble, Scheduler scheduler, Runnable whenExpired) throws IOException {
        this.ensemble = ensemble;
        this.scheduler = scheduler;
        this.whenExpired = whenExpired;
        ZKClientConfig config = new ClientConfig();
        // Without this the client looks for a JAAS file that the mode "simple" does not have.
        config.setProperty(ZKClientConfig.ENABLE_CLIENT_SASL_KEY, "false");
        this.zooKeeper =
                new ZooKeeper(ensemble.quorum(), ensemble.sessionTimeoutMillis(), ignored -> {}, false, config);
        // Shown with every connection of this session, before anything that waits to be sent.
        ensemble.secret().ifPresent(secret -> zooKeeper.addAuthInfo("digest", secret.shown()));
    }

    /** Returns at once; the first call waits for the connection. */
    static Session open(Ensemble ensemble, Scheduler scheduler, Runnable whenExpired) throws UnavailableException {
        try {
            Session session = new Session(ensemble, scheduler, whenExpired);
            // Only now: the event thread must not see a session whose fields are not set.
            session.zooKeeper.register(session);
            if (session.zooKeeper.getState().isConnected()) {
                session.gate.complete(null);
            }
            return session;
        } catch (IOException | IllegalArgumentException unusable) {
            UnavailableException failure = ensemble.unavailable("", "cannot be used: " + unusable.getMessage(), false);
            failure.causedBy(unusable);
            throw failure;
        }
    }

    long id() {
        return zooKeeper.getSessionId();
    }

    boolean hasEnded() {
        return ended;
    }

    /** Whether it has ended because ZooKeeper was not reached for too long: nothing that it sent is on its way any more. */
    boolean hasExpired() {
        return expired;
    }

    /** False when this session is at that lock already: an ephemeral node does not say which of its threads made it. */
    boolean claim(String path) {
        return claimed.add(path);
    }

    void disclaim(String path) {
        claimed.remove(path);
    }

    ZooKeeper zooKeeper() {
        return zooKeeper;
    }

    @Override
    public void process(WatchedEvent event) {
        switch (event.getState()) {
            case SyncConnected -> gate.complete(null);
            case Disconnected -> {
                if (gate.isDone()) {
                    gate = new CompletableFuture<>();
                }
                if (ended) {
                    gate.complete(null);
                }
            }
            case Expired -> {
                expired = true;
                shut();
                whenExpired.run();
            }
            default -> {
                // Read-only connections, authentication and the end that we asked for: nothing that opens a gate.
            }
        }
    }

    /**
     * Sends until there is an answer. A session that ended answers SESSIONEXPIRED. UNAVAILABLE when the time is over:
     * NOT_APPLIED if nothing was ever sent.
     */
    <T> Reply<T> call(String path, long deadlineNanos, Attempt<T> attempt) throws UnavailableException {
        boolean repeated = false;
        while (true) {
            Reply<T> reply = attempt(path, deadlineNanos, attempt, repeated).afterOthers(repeated);
            if (!reply.is(Code.CONNECTIONLOSS)) {
                return reply;
            }
            repeated = true;
        }
    }

    /** Sends once. CONNECTIONLOSS: it was done, or not. */
    <T> Reply<T> once(String path, long deadlineNanos, Attempt<T> attempt) throws UnavailableException {
        return attempt(path, deadlineNanos, attempt, false);
    }

    private <T> Reply<T> attempt(String path, long deadlineNanos, Attempt<T> attempt, boolean repeated)
            throws UnavailableException {
        wait(path, gate, deadlineNanos, repeated);
        if (ended) {
            return new Reply<>(Code.SESSIONEXPIRED, null, repeated);
        }
        CompletableFuture<Reply<T>> answer = new CompletableFuture<>();
        attempt.send(zooKeeper, answer);
        return wait(path, answer, deadlineNanos, true);
    }

    private <T> T wait(String path, CompletableFuture<T> future, long deadlineNanos, boolean sent)
            throws UnavailableException {
        try {
            long left = Math.max(0, deadlineNanos - Clock.system().nanos());
            return future.get(left, TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            String fact = sent ? "no answer" : "no connection";
            throw ensemble.unavailable(path, fact + " within " + ensemble.operationMillis() + " ms", sent);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw ensemble.unavailable(path, "interrupted while waiting", sent);
        } catch (ExecutionException impossible) {
            throw new AssertionError(impossible);
        }
    }

    /** Ends the session in our eyes at once, in ZooKeeper's when it hears of it, at the session's time-out at the latest. */
    Worker end() {
        shut();
        // The client's own close waits for an answer as long as a server that hangs keeps the connection.
        return scheduler.start("zookeeper-farewell", zooKeeper::close);
    }

    private void shut() {
        ended = true;
        gate.complete(null);
    }
}
