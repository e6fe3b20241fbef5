package bt.client;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.Clock;
import bt.base.Deadline;
import bt.base.OverloadedException;
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
import bt.record.SweepLine;
import bt.record.SweepReport;
import bt.record.SweepRequest;
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

    /** For the first look of who has no patience at all. */
    private static final long LEAST_LOOK_MILLIS = 1_000;

    private final Session session;
    private final MasterCalls master;

    Operations(Session session, MasterCalls master) {
        this.session = session;
        this.master = master;
    }

    List<Operation> all() throws BigtableException, InterruptedException {
        return session.retry().run("the master", deadline -> all(status(deadline), deadline));
    }

    /** How far the operation of this id is; empty where it is not under way. */
    Optional<Operation> listed(String id) throws BigtableException, InterruptedException {
        return session.retry().run(id, deadline -> {
            Look look = look(id, deadline);
            if (!look.isSure()) {
                throw new UnavailableException("the master has found no server that could tell of it");
            }
            return look.operation();
        });
    }

    /** Begun, if it was not, and on the master's list. */
    Operation drain(String server) throws BigtableException, InterruptedException {
        String subject = "server " + server;
        DrainServer message = new DrainServer(server, false);
        ServerDraining unused = master.ask(subject, message, ServerDraining.class);
        return Doubt.after(
                subject + ": its drain has begun", () -> session.retry().run(subject, deadline -> {
                    // Of a master that is followed by another the next one may not have heard it.
                    ServerDraining again = master.attempt(message, ServerDraining.class, deadline);
                    return status(deadline).getServers().stream()
                            .filter(line -> line.getServer().equals(server)
                                    || line.getAddress().equals(server))
                            .filter(ServerLine::getDraining)
                            .findFirst()
                            .map(Operation::of)
                            .orElseThrow(() -> new UnavailableException("of its " + again.getTablets()
                                    + " tablets none leaves yet: the master does not list the drain"));
                }));
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

    /** One that begins from now on. */
    Operation sweep(boolean dry) throws BigtableException, InterruptedException {
        return Operation.of(master.ask("the master", new SweepRequest(true, dry), SweepReport.class)
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
        Optional<Operation> unused =
                Doubt.after(id + " has begun", () -> await(id, Patience.OF_A_CALL, progress -> {}));
        return true;
    }

    /**
     * Tells how far it is with every look, until it is done, or not listed any more; empty where it never was. A look that
     * nobody answers is followed by others for as long as there is patience, and takes no longer than that either.
     */
    Optional<Operation> await(String id, Patience patience, Consumer<Operation> progress)
            throws BigtableException, InterruptedException {
        return awaitUntil(id, patience, now -> {
            progress.accept(now);
            return false;
        });
    }

    /** What somebody waits for, as far as a look can tell; a part of an operation may be over before it is. */
    @FunctionalInterface
    interface Goal {
        boolean isReached(Operation now) throws BigtableException, InterruptedException;
    }

    /** The same until the goal is reached, if that comes first. */
    Optional<Operation> awaitUntil(String id, Patience patience, Goal goal)
            throws BigtableException, InterruptedException {
        Clock clock = session.scheduler().clock();
        Deadline deadline = Deadline.after(clock, patience.millis());
        Hindered hindered = new Hindered(clock, patience.hinderedMillis());
        Deadline ofLook = Deadline.after(clock, Math.max(patience.millis(), LEAST_LOOK_MILLIS));
        Optional<Operation> last = Optional.empty();
        Optional<BigtableException> silence = Optional.empty();
        int silent = 0;
        while (true) {
            long pauseMillis = LOOK_MILLIS;
            try {
                Look look = look(id, ofLook);
                silence = Optional.empty();
                silent = 0;
                if (look.operation().isPresent()) {
                    last = look.operation();
                    if (goal.isReached(last.get())) {
                        return last;
                    }
                    hindered.saw(last.get());
                }
                if (look.isOver()) {
                    return last;
                }
            } catch (UnavailableException | OverloadedException nobody) {
                // A look that our own time cut short says nothing of the master, if another was answered.
                if (last.isEmpty() || !deadline.isOver()) {
                    silence = Optional.of(nobody);
                }
                silent++;
                pauseMillis = Math.max(LOOK_MILLIS, session.retry().pauseAfter(silent, nobody));
            }
            session.scheduler().pause(Math.max(1, Math.min(pauseMillis, deadline.leftMillis())));
            if (deadline.isOver() || hindered.isForLong()) {
                throw notDone(id, hindered.waitedMillis(), last, silence);
            }
            ofLook = deadline;
        }
    }

    private static UnavailableException notDone(
            String id, long waitedMillis, Optional<Operation> last, Optional<BigtableException> silence) {
        String known = silence.isPresent() ? " is not known to be done after " : " is not done after ";
        String goesOn = silence.map(failure -> ": " + failure.fact()).orElse("; it goes on");
        String hindrance = last.flatMap(Operation::hindrance)
                .map(why -> ", and is hindered: " + why)
                .orElse("");
        return new UnavailableException(id + known + waitedMillis + " ms" + goesOn + hindrance, Outcome.UNKNOWN);
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

        /** What a look has shown: one that nobody answered shows no progress. */
        void saw(Operation now) {
            if (now.hindrance().isEmpty() || now.tabletsLeft() != tabletsLeft) {
                tabletsLeft = now.tabletsLeft();
                deadline = Deadline.after(clock, mostMillis);
            }
        }

        boolean isForLong() {
            return deadline.isOver();
        }

        long waitedMillis() {
            return (clock.nanos() - begunNanos) / 1_000_000;
        }
    }

    /**
     * What a look at the master's list has shown.
     *
     * @param isSure a master that has just begun has not looked at any server yet: what it does not list may be under way
     */
    private record Look(Optional<Operation> operation, boolean isSure) {
        boolean isOver() {
            return operation.map(Operation::isDone).orElse(isSure);
        }
    }

    private Look look(String id, Deadline deadline) throws BigtableException, InterruptedException {
        ClusterStatus status = status(deadline);
        // What is over and still listed may be of an earlier table of the name.
        Optional<Operation> found = all(status, deadline).stream()
                .filter(each -> each.id().equals(id))
                .min(Comparator.comparing(Operation::isDone));
        return new Look(found, found.isPresent() || !status.getServers().isEmpty());
    }

    private ClusterStatus status(Deadline deadline) throws BigtableException, InterruptedException {
        return master.attempt(new ClusterStatusRequest(), ClusterStatus.class, deadline);
    }

    private List<Operation> all(ClusterStatus status, Deadline deadline)
            throws BigtableException, InterruptedException {
        List<Operation> all = new ArrayList<>();
        for (ServerLine server : status.getServers()) {
            if (server.getDraining()) {
                all.add(Operation.of(server));
            }
        }
        RecoveryReport recoveries = master.attempt(new RecoveryRequest(), RecoveryReport.class, deadline);
        for (RecoveryLine line : recoveries.getLines()) {
            all.add(Operation.of(line));
        }
        WorkReport work = master.attempt(new WorkRequest(), WorkReport.class, deadline);
        for (WorkLine line : work.getLines()) {
            all.add(Operation.of(line));
        }
        SweepReport sweeps = master.attempt(new SweepRequest(false, false), SweepReport.class, deadline);
        for (SweepLine line : sweeps.getLines()) {
            all.add(Operation.of(line));
        }
        return all;
    }
}
