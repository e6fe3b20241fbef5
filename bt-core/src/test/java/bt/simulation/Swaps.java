package bt.simulation;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Deadline;
import bt.base.RejectedException;
import bt.base.Retry;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import bt.coord.LockService;
import bt.metadata.Locator;
import bt.metadata.TabletPlace;
import bt.model.RowMutation;
import bt.protocol.Calls;
import bt.protocol.Condition;
import bt.protocol.Network;
import bt.protocol.Request;
import bt.protocol.Write;
import bt.protocol.WriteId;
import bt.protocol.WriteNumbers;
import bt.protocol.WriteResult;
import bt.testing.history.Operation.Result;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** Conditional writes of one client, retried with their number as any other. One worker. */
final class Swaps {
    private static final long CALL_MILLIS = 5_000;
    private static final long DEADLINE_MILLIS = 30_000;

    private final Calls calls;
    private final Locator locator;
    private final Retry retry;
    private final WriteNumbers numbers;

    Swaps(Network network, LockService locks, Scheduler scheduler, RandomGenerator random) {
        calls = new Calls(network, scheduler, CALL_MILLIS);
        locator = new Locator(calls, locks);
        retry = new Retry(scheduler, random, DEADLINE_MILLIS);
        numbers = new WriteNumbers(random.nextLong());
    }

    Result swap(long table, RowMutation mutation, Condition condition) throws InterruptedException {
        WriteId id = numbers.open();
        Request.Mutate request = new Request.Mutate(table, List.of(new Write(mutation, id, Optional.of(condition))));
        boolean[] inDoubt = new boolean[1];
        try {
            retry.run("swap", deadline -> attempt(request, deadline, inDoubt));
            return Result.DONE;
        } catch (RejectedException refused) {
            // One that is still on its way may be taken when the row has changed.
            return inDoubt[0] ? Result.UNKNOWN : Result.REFUSED;
        } catch (BigtableException failed) {
            return inDoubt[0] ? Result.UNKNOWN : Result.FAILED;
        } finally {
            numbers.close(id);
        }
    }

    private WriteResult attempt(Request.Mutate request, Deadline deadline, boolean[] inDoubt)
            throws BigtableException, InterruptedException {
        TabletPlace place = locator.locate(
                request.tableId(), request.writes().get(0).mutation().row(), deadline);
        try {
            WriteResult result =
                    calls.mutate(place.address(), request, deadline).get(0);
            if (result.failure().isPresent()) {
                throw result.failure().get();
            }
            return result;
        } catch (BigtableException failed) {
            inDoubt[0] |= failed.outcome() == Outcome.UNKNOWN;
            if (failed instanceof UnavailableException) {
                locator.forget(place);
            }
            throw failed;
        }
    }
}
