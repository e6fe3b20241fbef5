package bt.thrift.gateway;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Deadline;
import bt.base.RejectedException;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import bt.client.Admin;
import bt.client.Operation;

/**
 * Waits for what takes long. Looks take turns of their own, for where there is no master one takes a minute, and the pauses
 * between them take none: callers that wait hold up no others. Any thread.
 */
final class OperationWait {
    static final long MOST_MILLIS = 60_000;

    private static final long FIRST_PAUSE_MILLIS = 50;
    private static final long LONGEST_PAUSE_MILLIS = 1_000;

    private final Admin admin;
    private final Turns turns;
    private final Scheduler scheduler;

    OperationWait(Admin admin, Turns turns, Scheduler scheduler) {
        this.admin = admin;
        this.turns = turns;
        this.scheduler = scheduler;
    }

    /** How far it is when it is done, or the time is over. */
    Operation await(String id, long timeoutMillis) throws BigtableException {
        if (timeoutMillis < 0 || timeoutMillis > MOST_MILLIS) {
            throw new RejectedException("timeoutMillis is " + timeoutMillis + ": set 0 to " + MOST_MILLIS
                    + ", and ask again until the operation is done");
        }
        Deadline deadline = Deadline.after(scheduler.clock(), timeoutMillis);
        long pause = FIRST_PAUSE_MILLIS;
        while (true) {
            Operation now = turns.take(() -> admin.operation(id));
            if (now.isDone() || deadline.isOver()) {
                return now;
            }
            try {
                scheduler.pause(Math.min(pause, Math.max(1, deadline.leftMillis())));
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
                throw new UnavailableException("this gateway ends: ask another one", Outcome.NOT_APPLIED)
                        .causedBy(stopped);
            }
            pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
        }
    }
}
