package bt.thrift.gateway;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Deadline;
import bt.base.OverloadedException;
import bt.base.RejectedException;
import bt.base.Scheduler;
import bt.base.Scheduler.WorkerPool;
import bt.base.SharedAnswer;
import bt.base.UnavailableException;
import bt.client.Admin;
import bt.client.Operation;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;

/**
 * Waits for what takes long. However many callers wait, and for whatever, one look at all that is under way is made for them at a
 * time: where there is no master it takes a minute, and who waits for it takes no turn from anybody. Any thread.
 */
final class OperationWait implements AutoCloseable {
    static final long MOST_MILLIS = 60_000;

    private static final long FIRST_PAUSE_MILLIS = 50;
    private static final long LONGEST_PAUSE_MILLIS = 1_000;

    /** The look that is made, and the one that those wait for who came since that began. */
    private static final int LOOKS = 2;

    private final Admin admin;
    private final Turns turns;
    private final Scheduler scheduler;
    private final long firstMillis;
    private final WorkerPool looker;
    private final SharedAnswer<List<Operation>> underWay = new SharedAnswer<>();

    /**
     * @param turns for looks at single operations
     * @param firstMillis for how long the first look is waited for, also by who has less time
     */
    OperationWait(Admin admin, Turns turns, Scheduler scheduler, long firstMillis) {
        this.admin = admin;
        this.turns = turns;
        this.scheduler = scheduler;
        this.firstMillis = firstMillis;
        looker = scheduler.pool("bt-thrift-looks", 1, LOOKS);
    }

    /**
     * How far it is when it is done, or the time is over. While nobody answers it is waited on; UNAVAILABLE, or OVERLOADED, is only
     * who has not been told anything by then.
     */
    Operation await(String id, long timeoutMillis) throws BigtableException {
        if (timeoutMillis < 0 || timeoutMillis > MOST_MILLIS) {
            throw new RejectedException(
                    "timeoutMillis is " + timeoutMillis,
                    "set 0 to " + MOST_MILLIS + ", and ask again until the operation is done");
        }
        try {
            return await(id, Deadline.after(scheduler.clock(), timeoutMillis));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new UnavailableException("this gateway ends: ask another one", Outcome.NOT_APPLIED).causedBy(stopped);
        }
    }

    private Operation await(String id, Deadline deadline) throws BigtableException, InterruptedException {
        Deadline first = Deadline.after(scheduler.clock(), firstMillis);
        Optional<Operation> last = Optional.empty();
        long pause = FIRST_PAUSE_MILLIS;
        while (true) {
            long millis =
                    last.isPresent() ? deadline.leftMillis() : Math.max(deadline.leftMillis(), first.leftMillis());
            try {
                last = Optional.of(look(id, Math.max(1, millis)));
            } catch (UnavailableException | OverloadedException notNow) {
                if (deadline.isOver() && last.isEmpty()) {
                    throw notNow;
                }
            }
            if (last.isPresent() && (last.get().isDone() || deadline.isOver())) {
                return last.get();
            }
            scheduler.pause(Math.min(pause, Math.max(1, deadline.leftMillis())));
            pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
        }
    }

    private Operation look(String id, long millis) throws BigtableException, InterruptedException {
        List<Operation> all;
        try {
            all = scheduler.await(underWay.ask(this::begin), millis);
        } catch (UnavailableException nobody) {
            throw new UnavailableException(
                            "operation " + id + ": no master has told how far it is: " + nobody.getMessage(),
                            Outcome.NOT_APPLIED)
                    .causedBy(nobody);
        }
        // What is over and still listed may be of an earlier table of the name.
        Optional<Operation> listed =
                all.stream().filter(each -> each.id().equals(id)).min(Comparator.comparing(Operation::isDone));
        return listed.isPresent() ? listed.get() : turns.take(() -> admin.operation(id));
    }

    private CompletableFuture<List<Operation>> begin(Runnable begun) {
        CompletableFuture<List<Operation>> answer = new CompletableFuture<>();
        try {
            looker.execute(() -> {
                begun.run();
                try {
                    answer.complete(admin.operations());
                } catch (BigtableException | RuntimeException failed) {
                    answer.completeExceptionally(failed);
                }
            });
        } catch (RejectedExecutionException full) {
            answer.completeExceptionally(
                    new UnavailableException("this gateway ends: ask another one", Outcome.NOT_APPLIED));
        }
        return answer;
    }

    @Override
    public void close() {
        looker.close();
    }
}
