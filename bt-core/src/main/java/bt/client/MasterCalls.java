package bt.client;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.Deadline;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.coord.Paths;
import bt.coord.SmallFile;
import bt.metadata.ProcessFiles;
import bt.metadata.TabletPlace;
import bt.model.DroppedTable;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.protocol.Address;
import bt.protocol.NamedRows;
import bt.record.ClusterStatus;
import bt.record.ClusterStatusRequest;
import bt.record.Done;
import bt.record.DrainServer;
import bt.record.DropTable;
import bt.record.MoveTablet;
import bt.record.ServerDraining;
import bt.record.StopProcess;
import bt.record.TableCreated;
import bt.record.TableUndeleted;
import bt.record.TruncateTable;
import bt.record.UndeleteTable;
import java.util.Comparator;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;
import org.apache.avro.specific.SpecificRecord;

/** Requests to the master, whose address the lock service's file {@code master} tells; looked up for every attempt. */
final class MasterCalls {
    private static final long DRAIN_LOOK_MILLIS = 200;

    /** The master gives a move up after two minutes, and begins another: of some one ends well. */
    private static final long DRAIN_STILL_MILLIS = 600_000;

    private static final long STATUS_MILLIS = 15_000;

    private final Session session;

    MasterCalls(Session session) {
        this.session = session;
    }

    <T extends SpecificRecord> T ask(String subject, SpecificRecord message, Class<T> type)
            throws BigtableException, InterruptedException {
        return session.retry().run(subject, deadline -> attempt(message, type, deadline));
    }

    <T extends SpecificRecord> T attempt(SpecificRecord message, Class<T> type, Deadline deadline)
            throws BigtableException, InterruptedException {
        return session.calls().control(address(), message, type, deadline);
    }

    /**
     * The master answers everybody who asks when the cluster has stopped. If its answer is lost, a cluster without master
     * and servers has stopped too. Waits for as long as tablets are handed back, as the master does: what servers have in
     * memory may take them long to write.
     */
    void stop(IntConsumer progress) throws BigtableException, InterruptedException {
        AtomicBoolean told = new AtomicBoolean();
        StopProgress before = new StopProgress();
        while (true) {
            long begin = session.scheduler().clock().nanos();
            try {
                stop(told);
                return;
            } catch (UnavailableException late) {
                ClusterStatus left = left().orElseThrow(() -> late);
                if (!before.isOn(left)) {
                    throw new UnavailableException(
                                    "the cluster goes on stopping, and " + StopProgress.still(left) + " for "
                                            + (session.scheduler().clock().nanos() - begin) / 1_000_000_000
                                            + " s: list the servers, which tell what is in the way; stop it again to"
                                            + " wait for it: " + late.getMessage(),
                                    Outcome.UNKNOWN)
                            .causedBy(late);
                }
                progress.accept(StopProgress.left(left));
            }
        }
    }

    /** What a cluster that stops has still; empty where no master tells. */
    private Optional<ClusterStatus> left() throws InterruptedException {
        try {
            Deadline soon = Deadline.after(session.scheduler().clock(), STATUS_MILLIS);
            return Optional.of(session.retry()
                    .run(
                            "the master",
                            soon,
                            deadline -> attempt(new ClusterStatusRequest(), ClusterStatus.class, deadline)));
        } catch (BigtableException nobody) {
            return Optional.empty();
        }
    }

    private void stop(AtomicBoolean told) throws BigtableException, InterruptedException {
        session.retry().run("the master", session.deadline(), deadline -> {
            if (told.get() && nobodyIsThere()) {
                return true;
            }
            try {
                attempt(new StopProcess("the cluster is to stop", -1L), Done.class, deadline);
            } catch (UnavailableException lost) {
                told.compareAndSet(false, lost.outcome() == Outcome.UNKNOWN);
                throw lost;
            }
            return true;
        });
    }

    private boolean nobodyIsThere() throws BigtableException {
        return session.locks().read(Paths.MASTER_LOCK).isEmpty()
                && session.locks().children(Paths.SERVERS).isEmpty();
    }

    void drop(TableSchema table) throws BigtableException, InterruptedException {
        session.retry().run("table " + table.name(), deadline -> {
            try {
                attempt(new DropTable(table.name(), table.id()), Done.class, deadline);
            } catch (RejectedException refused) {
                // An earlier attempt may have done it. By id: another table may bear the name by now.
                if (session.schemas().refresh(table.id()).isPresent()) {
                    throw refused;
                }
            }
            return true;
        });
    }

    /** REJECTED at once where no tablet holds such a row; METADATA's has the row keys of users in its own, and the empty one. */
    void move(TableSchema table, Bytes row, String server) throws BigtableException, InterruptedException {
        if (table.id() != TableSchema.METADATA_ID) {
            NamedRows.check(table, row);
        }
        session.retry().run("table " + table.name() + " row " + row.brief(), deadline -> {
            // What is cached may have been split since: then it names the upper half, wherever the row lies.
            session.locator().cached(table.id(), row).ifPresent(session.locator()::forget);
            TabletPlace place = session.locate(table, row, deadline);
            try {
                TabletId tablet = place.id();
                MoveTablet message = new MoveTablet(tablet.tableId(), AvroBytes.buffer(tablet.endRow()), server);
                return attempt(message, Done.class, deadline);
            } finally {
                // Either it has moved, or it may be another tablet by now.
                session.locator().forget(place);
            }
        });
    }

    /** The id of the table that is in its place. */
    long truncate(TableSchema table) throws BigtableException, InterruptedException {
        return session.retry().change("table " + table.name(), (deadline, mayBeMade) -> {
            TruncateTable message = new TruncateTable(table.name(), table.id(), mayBeMade);
            try {
                return attempt(message, TableCreated.class, deadline).getTableId();
            } catch (RejectedException refused) {
                // It has been done, if the answer of an earlier attempt was lost: ids rise.
                return session.schemas().all().stream()
                        .filter(there -> mayBeMade && there.name().equals(table.name()) && there.id() > table.id())
                        .findFirst()
                        .orElseThrow(() -> refused)
                        .id();
            }
        });
    }

    /** The id of the table that is back. */
    long undelete(String name, long tableId) throws BigtableException, InterruptedException {
        // By its id, where an answer is lost: somebody else may have made a table of the name by then.
        long wanted = tableId == 0 ? droppedLast(name) : tableId;
        return session.retry().change("table " + name, (deadline, mayBeMade) -> {
            try {
                return attempt(new UndeleteTable(name, tableId), TableUndeleted.class, deadline)
                        .getTableId();
            } catch (RejectedException refused) {
                // It is back already, if the answer of an earlier attempt was lost.
                return session.schemas().all().stream()
                        .filter(table -> mayBeMade && table.name().equals(name) && table.id() == wanted)
                        .findFirst()
                        .orElseThrow(() -> refused)
                        .id();
            }
        });
    }

    /** Its id, 0 where there is none that can come back. */
    private long droppedLast(String name) throws BigtableException, InterruptedException {
        return session
                .retry()
                .run("the dropped tables", deadline -> session.schemas().dropped())
                .stream()
                .filter(dropped -> dropped.schema().name().equals(name))
                .max(Comparator.comparingLong(DroppedTable::droppedMicros))
                .map(dropped -> dropped.schema().id())
                .orElse(0L);
    }

    /**
     * How many tablets no server can load, of those that were given to this one. UNAVAILABLE when none has left the server for ten
     * minutes; the drain goes on. With every look {@code progress} is told how many are to leave still.
     */
    int drain(String server, IntConsumer progress) throws BigtableException, InterruptedException {
        DrainServer message = new DrainServer(server, false);
        ServerDraining begun = ask("server " + server, message, ServerDraining.class);
        return Doubt.after("server " + server + ": its drain has begun", () -> drained(server, begun, progress));
    }

    private int drained(String server, ServerDraining begun, IntConsumer progress)
            throws BigtableException, InterruptedException {
        DrainServer message = new DrainServer(server, false);
        ServerDraining now = begun;
        int fewest = now.getKnown() ? now.getTablets() : Integer.MAX_VALUE;
        Deadline deadline = Deadline.after(session.scheduler().clock(), DRAIN_STILL_MILLIS);
        while (now.getTablets() > 0) {
            if (now.getKnown()) {
                progress.accept(now.getTablets());
            }
            if (now.getKnown() && now.getTablets() < fewest) {
                fewest = now.getTablets();
                deadline = Deadline.after(session.scheduler().clock(), DRAIN_STILL_MILLIS);
            } else if (deadline.isOver()) {
                String still = now.getKnown()
                        ? "of " + now.getTablets() + " tablets none has left"
                        : "the server has not told its master of its tablets, so none is known to have left,";
                throw new UnavailableException(
                        still + " for " + DRAIN_STILL_MILLIS / 60_000
                                + " minutes; the drain goes on: see what is wrong with the servers, or undo it",
                        Outcome.UNKNOWN);
            }
            session.scheduler().pause(DRAIN_LOOK_MILLIS);
            now = ask("server " + server, message, ServerDraining.class);
        }
        return now.getFailed();
    }

    private Address address() throws BigtableException {
        SmallFile file = session.locks()
                .read(Paths.MASTER)
                .orElseThrow(() -> new UnavailableException("no master has ever run here", Outcome.NOT_APPLIED));
        return ProcessFiles.master(file);
    }
}
