package bt.tabletserver;

import bt.base.BigtableException;
import bt.base.Deadline;
import bt.base.Dwindling;
import bt.base.RejectedException;
import bt.base.Scheduler;
import bt.coord.LockService;
import bt.coord.Paths;
import bt.coord.SmallFile;
import bt.metadata.ProcessFiles;
import bt.protocol.Address;
import bt.protocol.Calls;
import bt.protocol.Network;
import bt.record.DrainServer;
import bt.record.ServerDraining;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a server asks of the master before it stops: to move its tablets to others, so that each is without service for a
 * moment only. Where there is no master, or nobody to take them, the server hands them back itself. One thread, once.
 */
final class Farewell {
    private static final Logger log = LoggerFactory.getLogger(Farewell.class);
    private static final long LOOK_MILLIS = 200;
    private static final long CALL_MILLIS = 2_000;

    /** Of a master that ends, or whose pass is long, the next answer comes before: a session, an election and more. */
    private static final long ALONE_MILLIS = 20_000;

    /** Of tablets that the master has not moved when it has said so often that there is none to move, it will not move any. */
    private static final int MAX_IDLE = 5;

    private final Scheduler scheduler;
    private final LockService locks;
    private final Calls calls;
    private final Identity self;

    Farewell(Scheduler scheduler, LockService locks, Network network, Identity self) {
        this.scheduler = scheduler;
        this.locks = locks;
        this.calls = new Calls(network, scheduler, CALL_MILLIS);
        this.self = self;
    }

    /**
     * Waits until the control worker holds nothing more but what it could not load, and METADATA says so of all that it held, or nobody
     * would take it, or has taken any for too long.
     */
    void run(Control control, Dwindling tablets) throws InterruptedException {
        Deadline alone = Deadline.after(scheduler.clock(), ALONE_MILLIS);
        int idle = 0;
        while (!alone.isOver() && idle < MAX_IDLE && !tablets.isOver()) {
            try {
                int left = scheduler
                        .await(control.remaining(), tablets.deadline().leftMillis())
                        .count();
                if (left == 0) {
                    return;
                }
                tablets.saw(left);
                int movable = calls.control(
                                master(), new DrainServer(self.id(), false), ServerDraining.class, tablets.deadline())
                        .getTablets();
                log.debug("{}: {} tablets are still here, {} can be moved", self.id(), left, movable);
                alone = Deadline.after(scheduler.clock(), ALONE_MILLIS);
                idle = movable == 0 ? idle + 1 : 0;
            } catch (RejectedException nobody) {
                log.info("{}", nobody.getMessage());
                return;
            } catch (BigtableException unknown) {
                log.info("{}: the master: {}", self.id(), unknown.getMessage());
            }
            scheduler.pause(LOOK_MILLIS);
        }
    }

    private Address master() throws BigtableException {
        Optional<SmallFile> file = locks.read(Paths.MASTER);
        if (file.isEmpty()) {
            throw new RejectedException(self.id() + ": there is no master to move tablets", "start a master");
        }
        return ProcessFiles.master(file.get());
    }
}
