package bt.client;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.metadata.ClusterAccess;
import bt.model.AccessList;
import bt.record.ClusterStatus;
import bt.record.ClusterStatusRequest;
import bt.record.Done;
import bt.record.DrainServer;
import bt.record.GarbageReport;
import bt.record.GarbageRequest;
import bt.record.ProcessExited;
import bt.record.RecoveryReport;
import bt.record.RecoveryRequest;
import bt.record.ServerDraining;
import java.util.List;
import java.util.Optional;
import java.util.function.IntConsumer;
import java.util.function.UnaryOperator;

/**
 * What {@link Admin} does with the cluster as a whole: its servers and master (section 5.2 of the paper), their garbage (section 5.3's
 * mark and sweep), and who may administer it. Any thread. Every call is REJECTED where the user has not the right to it, and
 * UNAVAILABLE while no master answers, for a minute.
 */
public abstract sealed class ClusterAdmin extends TabletAdmin permits Admin {
    ClusterAdmin(Session session) {
        super(session);
    }

    /** The master's view of servers and tablets. */
    public MasterView clusterStatus() throws BigtableException {
        return MasterView.of(Session.uninterrupted(
                "the master",
                Outcome.NOT_APPLIED,
                () -> master.ask("the master", new ClusterStatusRequest(), ClusterStatus.class)));
    }

    /** The dead servers whose tablets are not all served by others yet, and how far that is. */
    public List<RecoveryInfo> recoveries() throws BigtableException {
        RecoveryReport report = Session.uninterrupted(
                "the master",
                Outcome.NOT_APPLIED,
                () -> master.ask("the master", new RecoveryRequest(), RecoveryReport.class));
        return report.getLines().stream().map(RecoveryInfo::of).toList();
    }

    /**
     * The slowest of the requests that servers have traced lately, at most so many: each server keeps some of each
     * kind for five minutes at least, of one request in so many as the cluster's key {@code tabletserver.trace.one.of} says.
     *
     * @param server a living server's id, or its address as host:port; empty for all
     * @param kind get, scan or write; empty for all
     */
    public SlowRequests slowRequests(Optional<String> server, Optional<String> kind, int most)
            throws BigtableException {
        MasterView cluster = clusterStatus();
        return Session.uninterrupted(
                "traces", Outcome.NOT_APPLIED, () -> new ServerTraces(session, kind, most).slowest(cluster, server));
    }

    /**
     * Leaves a server without tablets; returns when all that it serves have moved to others, and from then on it is given
     * none. What it could not load is not waited for. UNAVAILABLE when none of its tablets has left for ten minutes; the drain goes
     * on nevertheless.
     *
     * @param server a living server's id, or its address as host:port
     * @return how many tablets that were given to this server neither it nor another has loaded
     */
    public int drainServer(String server) throws BigtableException {
        return drainServer(server, left -> {});
    }

    /**
     * The same.
     *
     * @param progress is told how many tablets are to leave still, some times a second, on the caller's thread
     */
    public int drainServer(String server, IntConsumer progress) throws BigtableException {
        return Session.uninterrupted("server " + server, Outcome.UNKNOWN, () -> master.drain(server, progress));
    }

    /**
     * Begins what {@link #drainServer} does, and does not wait for it. To begin it twice is to begin it once.
     *
     * @param server a living server's id, or its address as host:port
     */
    public Operation startDrain(String server) throws BigtableException {
        return Session.uninterrupted(
                "server " + server, Outcome.UNKNOWN, () -> new Operations(session, master).drain(server));
    }

    /** The server may be given tablets again; those that have moved stay where they are. */
    public void undrainServer(String server) throws BigtableException {
        Session.uninterrupted(
                "server " + server,
                Outcome.UNKNOWN,
                () -> master.ask("server " + server, new DrainServer(server, true), ServerDraining.class));
    }

    /**
     * Tells the master that the process of this name has ended, so that nobody waits for its lock and its lease. For
     * whoever started the process and saw its exit code.
     */
    public void processExited(String process) throws BigtableException {
        Session.uninterrupted(
                "process " + process,
                Outcome.UNKNOWN,
                () -> master.ask("process " + process, new ProcessExited(process), Done.class));
    }

    /** Who may create tables and administer the cluster; empty: everybody may do everything. */
    public Optional<AccessList> access() throws BigtableException {
        return session.lookUp("the cluster's rights", deadline -> ClusterAccess.read(session.locks())
                .list());
    }

    /**
     * Changes who may create tables and administer the cluster; rights for tables are part of their schema ({@link
     * bt.model.SchemaChange#grant}). Servers follow within moments. REJECTED where no administrator would be left,
     * OVERLOADED where others have changed them before it each time, for a minute.
     *
     * @param change from the present list, {@link AccessList#NOBODY} where there is none, to the one wanted; called again
     *     when somebody else has changed it in between, so it depends on its argument alone
     */
    public AccessList alterAccess(UnaryOperator<AccessList> change) throws BigtableException {
        return Session.uninterrupted(
                "the cluster's rights", Outcome.UNKNOWN, () -> new AccessAlteration(session, master, change).run());
    }

    /** What the master's last sweep of garbage saw and deleted. */
    public GarbageSweep garbage() throws BigtableException {
        return garbage(false);
    }

    /**
     * The same, or what its last dry sweep saw.
     *
     * @param dry of those that somebody has asked for and that have deleted nothing ({@link #startSweep})
     */
    public GarbageSweep garbage(boolean dry) throws BigtableException {
        return Session.uninterrupted("the master", Outcome.NOT_APPLIED, () -> lastSweep(dry));
    }

    /**
     * Has the master sweep garbage now; returns when it has, and waits for it as {@link #compactTable} does. Nothing goes before
     * its grace is over, whoever asks. UNAVAILABLE where the master that has done it has ended before it could tell.
     *
     * @param dry deletes nothing, and tells what would be
     */
    public GarbageSweep sweepGarbage(boolean dry) throws BigtableException {
        return Session.uninterrupted("the master", Outcome.UNKNOWN, () -> {
            Operations operations = new Operations(session, master);
            String id = operations.sweep(dry).id();
            boolean unused = operations.awaitBegun(id);
            return Doubt.after(id + " is done", () -> lastSweep(dry)).after(id);
        });
    }

    /**
     * Begins what {@link #sweepGarbage} does, and does not wait for it; {@link #garbage(boolean)} tells then what it came to. A
     * sweep that is under way is followed by another, for what was no garbage when it began may be now; to begin it twice
     * before it is under way is to begin it once. Whichever master reigns does it, from its beginning where the one before has ended.
     *
     * @param dry deletes nothing, and tells what would be
     */
    public Operation startSweep(boolean dry) throws BigtableException {
        return Session.uninterrupted("the master", Outcome.UNKNOWN, () -> new Operations(session, master).sweep(dry));
    }

    /**
     * Ends the cluster: every tablet server writes what it holds to files and ends, those with METADATA last, then the
     * master. Returns when the tablet servers have ended; what fails leaves the logs to the next start. UNAVAILABLE when no
     * tablet was handed back, and no server has ended, for the time of an operation, a minute where nothing else is said;
     * the stop goes on nevertheless.
     */
    public void stopCluster() throws BigtableException {
        stopCluster(left -> {});
    }

    /**
     * The same.
     *
     * @param progress is told how many tablets and servers are left, each such time, on the caller's thread
     */
    public void stopCluster(IntConsumer progress) throws BigtableException {
        Session.uninterrupted("the master", Outcome.UNKNOWN, () -> {
            master.stop(progress);
            return true;
        });
    }

    private GarbageSweep lastSweep(boolean dry) throws BigtableException, InterruptedException {
        return GarbageSweep.of(master.ask("the master", new GarbageRequest(dry), GarbageReport.class));
    }
}
