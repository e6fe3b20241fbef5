package bt.tabletserver;

import bt.base.BigtableException;
import bt.base.Clock;
import bt.base.CorruptionException;
import bt.base.OverloadedException;
import bt.base.RejectedException;
import bt.protocol.Regexes;
import bt.sstable.ReadWork;
import bt.tablet.Tablet;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;

/**
 * Evaluates writes that depend on their rows where reads run, so that the commit thread need not: it only sees to it that
 * the row has not changed since, and sends the write back here if it has. Any thread.
 */
final class Conditions {
    private final Pools pools;
    private final AccessGate access;
    private final Clock clock;

    Conditions(Pools pools, AccessGate access, Clock clock) {
        this.pools = pools;
        this.access = access;
        this.clock = clock;
    }

    /** Sends the write on to the tablet's commit queue once it is evaluated, or refuses it. */
    void evaluate(WriteEntry entry, HostedTablet hosted) {
        if (!begin(entry, hosted)) {
            entry.refuse(Reads.tooMany());
        }
    }

    /** The same, but false where too many wait: one answer does for all of a request. */
    boolean begin(WriteEntry entry, HostedTablet hosted) {
        return begin(entry, hosted, pools.readRoom(entry.tableId()).hold());
    }

    private boolean begin(WriteEntry entry, HostedTablet hosted, ReadRoom.Hold room) {
        try {
            pools.evaluations(entry.tableId()).execute(entry.caller().host(), room, () -> run(entry, hosted, room));
            return true;
        } catch (RejectedExecutionException full) {
            room.end();
            return false;
        }
    }

    private void run(WriteEntry entry, HostedTablet hosted, ReadRoom.Hold room) {
        ReadWork work = ReadWork.ofThread();
        entry.trace().taken();
        boolean again = false;
        try {
            entry.caller().checkWaits(clock.nanos());
            ReadPool pool = pools.evaluations(entry.tableId());
            work.begin(new AwaitedRead(entry.caller(), clock, room, pool), AwaitedRead.STEPS_BETWEEN_LOOKS);
            Regexes.compile(entry.write());
            Evaluation evaluation = evaluate(entry, hosted.tablet());
            entry.trace().read(work);
            hosted.queue().write(entry.evaluated(evaluation));
        } catch (CorruptionException damage) {
            entry.refuse(TabletDamage.of(hosted, damage).bare());
        } catch (BigtableException failed) {
            again = room.isRefused();
            if (!again) {
                entry.refuse(failed.bare());
            }
        } catch (RuntimeException | Error bug) {
            // Unanswered, its room would be taken for ever.
            entry.refuse(new RejectedException(
                    "the write met a mistake of the server's own: what it is stands in the server's log", "report it"));
            throw bug;
        } finally {
            work.end();
            room.end();
        }
        if (again) {
            awaitRoom(entry, hosted, room);
        }
    }

    private void awaitRoom(WriteEntry entry, HostedTablet hosted, ReadRoom.Hold refused) {
        try {
            refused.await(entry.caller().host(), room -> {
                if (!begin(entry, hosted, room)) {
                    entry.refuse(Reads.tooMany());
                }
            });
        } catch (OverloadedException full) {
            entry.refuse(full);
        }
    }

    private Evaluation evaluate(WriteEntry entry, Tablet tablet) throws BigtableException {
        Optional<TableUser> user = access.of(entry.user(), tablet.schema());
        if (user.isPresent()) {
            try {
                new WriteRights(user.get()).check(entry.write());
            } catch (RejectedException refused) {
                // A decision like others: it may be a retry of what was done when there was the right.
                return new Evaluation(new Evaluation.Refuse(refused), tablet.readPoint());
            }
        }
        return Evaluator.evaluate(tablet, entry.write(), user, clock.micros());
    }
}
