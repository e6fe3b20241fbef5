package bt.client;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
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
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** What the master says is under way, asked for anew each time. One thread. */
final class Operations {
    private static final long LOOK_MILLIS = 200;

    private final Session session;
    private final MasterCalls master;

    Operations(Session session, MasterCalls master) {
        this.session = session;
        this.master = master;
    }

    List<Operation> all() throws BigtableException, InterruptedException {
        return all(status());
    }

    /** Begun, if it was not, and on the master's list. */
    Operation drain(String server) throws BigtableException, InterruptedException {
        Deadline deadline = session.adminDeadline();
        while (true) {
            master.ask("server " + server, new DrainServer(server, false), ServerDraining.class);
            for (ServerLine line : status().getServers()) {
                boolean isMeant =
                        line.getServer().equals(server) || line.getAddress().equals(server);
                if (isMeant && line.getDraining()) {
                    return Operation.of(line);
                }
            }
            if (deadline.isOver()) {
                throw new UnavailableException("server " + server + ": the master does not list its drain");
            }
            session.scheduler().pause(LOOK_MILLIS);
        }
    }

    /** Begun, begun anew, or under way already, as is the custom of this kind. */
    Operation begin(TableSchema table, TableWork work, Bytes from, Optional<Bytes> to)
            throws BigtableException, InterruptedException {
        WorkOnTable message = new WorkOnTable(table.id(), work, AvroBytes.buffer(from), AvroBytes.buffer(to), false);
        return Operation.of(master.ask("table " + table.name(), message, WorkReport.class)
                .getLines()
                .get(0));
    }

    boolean cancel(TableSchema table, TableWork work) throws BigtableException, InterruptedException {
        WorkOnTable message = new WorkOnTable(table.id(), work, AvroBytes.buffer(Bytes.EMPTY), null, true);
        WorkReport unused = master.ask("table " + table.name(), message, WorkReport.class);
        return true;
    }

    /** Tells how far it is with every look. True once it is done, or not listed any more. */
    boolean await(String id, long timeoutMillis, Consumer<Operation> progress)
            throws BigtableException, InterruptedException {
        Deadline deadline = Deadline.after(session.scheduler().clock(), timeoutMillis);
        while (true) {
            ClusterStatus status = status();
            Optional<Operation> now =
                    all(status).stream().filter(each -> each.id().equals(id)).findFirst();
            now.ifPresent(progress);
            // A master that has just begun has not looked at any server yet: what it does not list may well be under
            // way.
            boolean isOver =
                    now.map(Operation::isDone).orElse(!status.getServers().isEmpty());
            if (isOver) {
                return true;
            }
            if (deadline.isOver()) {
                throw new UnavailableException(
                        id + " is not done after " + timeoutMillis + " ms; it goes on", Outcome.NOT_APPLIED);
            }
            session.scheduler().pause(LOOK_MILLIS);
        }
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
