package bt.client;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.Clock;
import bt.base.Deadline;
import bt.base.UnavailableException;
import bt.model.TableSchema;
import bt.record.ClusterStatus;
import bt.record.ClusterStatusRequest;
import bt.record.DrainServer;
import bt.record.RecoveryLine;
import bt.record.RecoveryReport;
import bt.record.RecoveryRequest;
import bt.record.ServerDraining;
import bt.record.ServerLine;
import bt.record.TableWork;
import bt.record.WorkLine;
import bt.record.WorkOnTable;
import bt.record.WorkReport;
import bt.record.WorkRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the master says is under way, asked for anew each time. One thread. */
final class Operations {
    private static final Logger log = LoggerFactory.getLogger(Operations.class);
    private static final long LOOK_MILLIS = 200;
    private static final long END_MILLIS = 1_000;

    private final Session session;
    private final MasterCalls master;

    Operations(Session session, MasterCalls master) {
        this.session = session;
        this.master = master;
    }

    List<Operation> all() throws BigtableException, InterruptedException {
        return all(status());
    }

    /** How far the operation of this id is; empty where it is not under way. */
    Optional<Operation> listed(String id) throws BigtableException, InterruptedException {
        Deadline deadline = session.adminDeadline();
        while (true) {
            ClusterStatus status = status();
            Optional<Operation> listed = find(id, status);
            if (listed.isPresent() || hasLooked(status)) {
                return listed;
            }
            if (deadline.isOver()) {
                throw new UnavailableException(id + ": the master has found no server that could tell of it");
            }
            session.scheduler().pause(LOOK_MILLIS);
        }
    }

    /** Begun, if it was not, and on the master's list. */
    Operation drain(String server) throws BigtableException, InterruptedException {
        askToDrain(server);
        return Doubt.after("server " + server + ": its drain has begun", () -> listedDrain(server));
    }

    private Operation listedDrain(String server) throws BigtableException, InterruptedException {
        Deadline deadline = session.adminDeadline();
        while (true) {
            for (ServerLine line : status().getServers()) {
                boolean isMeant =
                        line.getServer().equals(server) || line.getAddress().equals(server);
                if (isMeant && line.getDraining()) {
                    return Operation.of(line);
                }
            }
            if (deadline.isOver()) {
                throw new UnavailableException("the master does not list it");
            }
            session.scheduler().pause(LOOK_MILLIS);
            // Of a master that is followed by another the next one may not have heard it.
            askToDrain(server);
        }
    }

    private void askToDrain(String server) throws BigtableException, InterruptedException {
        ServerDraining unused =
                master.ask("server " + server, new DrainServer(server, false), ServerDraining.class);
    }

    /** Begun, begun anew, or under way already, as is the custom of this kind. */
    Operation begin(TableSchema table, TableWork work, Bytes from, Optional<Bytes> to)
            throws BigtableException, InterruptedException {
        return begin(
                table, new WorkOnTable(table.id(), work, AvroBytes.buffer(from), AvroBytes.buffer(to), false, null));
    }

    Operation move(TableSchema table, Bytes row, String server) throws BigtableException, InterruptedException {
        return begin(table, new WorkOnTable(table.id(), TableWork.MOVE, AvroBytes.buffer(row), null, false, server));
    }

    private Operation begin(TableSchema table, WorkOnTable message) throws BigtableException, InterruptedException {
        return Operation.of(master.ask("table " + table.name(), message, WorkReport.class)
                .getLines()
                .get(0));
    }

    boolean cancel(TableSchema table, TableWork work) throws BigtableException, InterruptedException {
        WorkReport unused = master.ask("table " + table.name(), noMore(table.id(), work), WorkReport.class);
        return true;
    }

    private static WorkOnTable noMore(long tableId, TableWork work) {
        return new WorkOnTable(tableId, work, AvroBytes.buffer(Bytes.EMPTY), null, true, null);
    }

    /**
     * Returns when METADATA tells that all tablets of a table that has just come to be are served. The master, which sees it
     * later, lists the creation no more, so that who has created a table does not find himself still at it.
     */
    void awaitCreation(String table, long tableId) throws BigtableException, InterruptedException {
        new TabletCalls(session).awaitServing(table, tableId);
        try {
            Deadline deadline = Deadline.after(session.scheduler().clock(), END_MILLIS);
            WorkReport unused = master.attempt(noMore(tableId, TableWork.CREATION), WorkReport.class, deadline);
        } catch (BigtableException left) {
            // The table is there whether the master hears it or not: its own look ends the listing too.
            log.debug("creation/{}: {}", table, left.getMessage());
        }
    }

    /**
     * How long is waited: at most, and while something hinders the work and none of its tablets is done, for which somebody
     * may have to do something first.
     */
    record Patience(long millis, long hinderedMillis) {
        /** Of who begins work and waits for it, with nobody to tell how far it is. */
        static final Patience OF_A_CALL = new Patience(TimeUnit.DAYS.toMillis(1), TimeUnit.MINUTES.toMillis(1));
    }

    /** Returns when what was just begun is done, or not listed any more; it is waited for as long as a call may last. */
    boolean awaitBegun(String id) throws BigtableException, InterruptedException {
        return Doubt.after(id + " has begun", () -> await(id, Patience.OF_A_CALL, progress -> {}));
    }

    /** Tells how far it is with every look. True once it is done, or not listed any more. */
    boolean await(String id, Patience patience, Consumer<Operation> progress)
            throws BigtableException, InterruptedException {
        Deadline deadline = Deadline.after(session.scheduler().clock(), patience.millis());
        Hindered hindered = new Hindered(session.scheduler().clock(), patience.hinderedMillis());
        while (true) {
            ClusterStatus status = status();
            Optional<Operation> now = find(id, status);
            now.ifPresent(progress);
            boolean isOver = now.map(Operation::isDone).orElse(hasLooked(status));
            if (isOver) {
                return true;
            }
            if (deadline.isOver() || hindered.isForLong(now)) {
                throw new UnavailableException(
                        id + " is not done after " + hindered.waitedMillis() + " ms; it goes on"
                                + now.flatMap(Operation::hindrance)
                                        .map(why -> ", and is hindered: " + why)
                                        .orElse(""),
                        Outcome.UNKNOWN);
            }
            session.scheduler().pause(LOOK_MILLIS);
        }
    }

    /** For how long something has hindered an operation of which nothing was done meanwhile. */
    private static final class Hindered {
        private final Clock clock;
        private final long mostMillis;
        private final long begunNanos;
        private long tabletsLeft = -1;
        private Deadline deadline;

        Hindered(Clock clock, long mostMillis) {
            this.clock = clock;
            this.mostMillis = mostMillis;
            begunNanos = clock.nanos();
            deadline = Deadline.after(clock, mostMillis);
        }

        boolean isForLong(Optional<Operation> now) {
            boolean isStill = now.filter(
                            operation -> operation.hindrance().isPresent() && operation.tabletsLeft() == tabletsLeft)
                    .isPresent();
            if (!isStill) {
                tabletsLeft = now.map(Operation::tabletsLeft).orElse(-1L);
                deadline = Deadline.after(clock, mostMillis);
            }
            return deadline.isOver();
        }

        long waitedMillis() {
            return (clock.nanos() - begunNanos) / 1_000_000;
        }
    }

    private Optional<Operation> find(String id, ClusterStatus status) throws BigtableException, InterruptedException {
        // What is over and still listed may be of an earlier table of the name.
        return all(status).stream().filter(each -> each.id().equals(id)).min(Comparator.comparing(Operation::isDone));
    }

    /** A master that has just begun has not looked at any server yet: what it does not list may well be under way. */
    private static boolean hasLooked(ClusterStatus status) {
        return !status.getServers().isEmpty();
    }

    private ClusterStatus status() throws BigtableException, InterruptedException {
        return master.ask("the master", new ClusterStatusRequest(), ClusterStatus.class);
    }

    private List<Operation> all(ClusterStatus status) throws BigtableException, InterruptedException {
        List<Operation> all = new ArrayList<>();
        for (ServerLine server : status.getServers()) {
            if (server.getDraining()) {
                all.add(Operation.of(server));
            }
        }
        RecoveryReport recoveries = master.ask("the master", new RecoveryRequest(), RecoveryReport.class);
        for (RecoveryLine line : recoveries.getLines()) {
            all.add(Operation.of(line));
        }
        WorkReport work = master.ask("the master", new WorkRequest(), WorkReport.class);
        for (WorkLine line : work.getLines()) {
            all.add(Operation.of(line));
        }
        return all;
    }
}
