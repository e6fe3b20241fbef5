package bt.client;

import bt.base.BigtableException;
import bt.base.RejectedException;
import bt.base.Scheduler;
import bt.coord.LockService;
import bt.model.TableSchema;
import bt.protocol.Network;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * A cluster, as an application sees it (section 3 of the paper): {@code bt.connect.Connect.to} opens one for the life of
 * the process. Any thread. It caches the locations of tablets, so the lock service and METADATA are asked once and then
 * only when something moved.
 *
 * <p>An interrupted thread gets UNAVAILABLE from whatever waits here, with its interrupt flag set.
 */
public final class Bigtable implements AutoCloseable {
    private final Session session;
    private final List<Runnable> atEnd = new ArrayList<>();

    private Bigtable(Session session) {
        this.session = session;
    }

    /** A cluster behind these ports; they are the caller's to close. */
    public static Bigtable over(Network network, LockService locks, Scheduler scheduler) {
        return over(network, locks, scheduler, new SecureRandom());
    }

    /** The same; the generator, which must bear many threads, draws the client's id and spreads retries. */
    public static Bigtable over(Network network, LockService locks, Scheduler scheduler, RandomGenerator random) {
        return new Bigtable(new Session(network, locks, scheduler, random));
    }

    /** An open table ({@code OpenOrDie} in figure 2 of the paper). REJECTED when there is none of that name. */
    public Table table(String name) throws BigtableException {
        TableSchema schema = session.schemas()
                .byName(name)
                .orElseThrow(() -> new RejectedException(
                        "table " + name + " does not exist: create it, or list the tables that do"));
        return new Table(session, schema);
    }

    /** Tables and cluster: creating, dropping, looking. */
    public Admin admin() {
        return new Admin(session);
    }

    /** Has {@link #close} run this too: for what was opened for this cluster alone. */
    public Bigtable onClose(Runnable end) {
        atEnd.add(end);
        return this;
    }

    /** Batches must be closed before: what they hold is not written. */
    @Override
    public void close() {
        atEnd.forEach(Runnable::run);
        atEnd.clear();
    }
}
