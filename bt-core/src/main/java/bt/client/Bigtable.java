package bt.client;

import static java.util.Objects.requireNonNull;

import bt.base.BigtableException;
import bt.base.Messages;
import bt.base.RejectedException;
import bt.base.Scheduler;
import bt.coord.LockService;
import bt.model.TableSchema;
import bt.protocol.Network;
import java.security.SecureRandom;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A cluster, as an application sees it (section 3 of the paper): {@code bt.connect.Connect.to} opens one for the life of
 * the process. Any thread. It caches the locations of tablets, so the lock service and METADATA are asked once and then
 * only when something moved.
 *
 * <p>An interrupted thread gets UNAVAILABLE from whatever waits here, with its interrupt flag set.
 */
public final class Bigtable implements AutoCloseable {
    private final Session session;
    private final Queue<Runnable> atEnd = new ConcurrentLinkedQueue<>();
    /** Made when it is first asked for. */
    private final AtomicReference<@Nullable AsyncCalls> asyncCalls = new AtomicReference<>();

    private Bigtable(Session session) {
        this.session = session;
    }

    /** A cluster behind these ports; they are the caller's to close. */
    public static Bigtable over(Network network, LockService locks, Scheduler scheduler) {
        return over(network, locks, scheduler, new SecureRandom());
    }

    /** The same; the generator, which must bear many threads, draws the client's id and spreads retries. */
    public static Bigtable over(Network network, LockService locks, Scheduler scheduler, RandomGenerator random) {
        return over(network, locks, scheduler, random, ClientOptions.DEFAULT);
    }

    /** The same with bounds of its own. */
    public static Bigtable over(
            Network network, LockService locks, Scheduler scheduler, RandomGenerator random, ClientOptions options) {
        return new Bigtable(new Session(network, locks, scheduler, random, options));
    }

    /**
     * An open table ({@code OpenOrDie} in figure 2 of the paper). REJECTED when there is none of that name; UNAVAILABLE when
     * the lock service has not answered for a minute.
     */
    public Table table(String name) throws BigtableException {
        String subject = "table " + Messages.name(name);
        TableSchema schema = session.lookUp(
                        subject, deadline -> session.schemas().byName(name))
                .orElseThrow(() ->
                        new RejectedException(subject + " does not exist", "create it, or list the tables that do"));
        return new Table(session, schema);
    }

    /** The same for an application that waits for the table, and for nothing that it asks of it. */
    public AsyncTable asyncTable(String name) throws BigtableException {
        return new AsyncTable(session, table(name), asyncCalls());
    }

    /**
     * The same where the table itself is not waited for either, for which the lock service is asked. The future fails with what
     * {@link #table} throws, and counts as a call of the client.
     */
    public CompletableFuture<AsyncTable> openAsync(String name) {
        return asyncCalls().run(() -> "table " + Messages.name(name), () -> asyncTable(name));
    }

    private AsyncCalls asyncCalls() {
        AsyncCalls made = asyncCalls.get();
        if (made == null) {
            made = new AsyncCalls(session);
            if (!asyncCalls.compareAndSet(null, made)) {
                made.close();
                return requireNonNull(asyncCalls.get());
            }
        }
        return made;
    }

    /** Tables and cluster: creating, dropping, looking. */
    public Admin admin() {
        return new Admin(session);
    }

    /**
     * Has {@link #close} run this too, once and behind what was added before it: for what was opened for this cluster
     * alone. Of a client that is closed it runs at once.
     */
    public Bigtable onClose(Runnable end) {
        atEnd.add(end);
        if (session.ending().isOver()) {
            runAtEnd();
        }
        return this;
    }

    /**
     * Ends all that the client has begun: no thread of it is left when this returns, but where what hangs on a future, or
     * a transaction, keeps one for longer than five seconds. Those of Netty and ZooKeeper, and timers, which {@code
     * bt.connect.Connect} opened with it, end by themselves within some seconds. Batches must be closed before: what they hold is not
     * written. Asynchronous calls under way fail, some of them on the thread that closes: what hangs on their futures is not to wait. Others that are under way in other threads end with the attempt
     * they are at, or the pause of about a second behind it; they, and all that is asked of the client later, are
     * REJECTED and told that the client was closed; of a write that may have been applied the outcome is UNKNOWN, and it is
     * UNAVAILABLE.
     */
    @Override
    public void close() {
        // First, so that whatever is stopped can say why.
        session.ending().end();
        session.closing().closeAll();
        runAtEnd();
    }

    private void runAtEnd() {
        for (Runnable end = atEnd.poll(); end != null; end = atEnd.poll()) {
            end.run();
        }
    }
}
