package bt.examples.chaos;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Deadline;
import bt.base.Retry;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import bt.coord.LockService;
import bt.metadata.MetadataTable;
import bt.metadata.TabletPlace;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.protocol.Calls;
import bt.protocol.Condition;
import bt.protocol.Network;
import bt.protocol.Request;
import bt.protocol.Write;
import bt.protocol.WriteId;
import bt.protocol.WriteNumbers;
import bt.protocol.WriteResult;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Writes that happen only if a column's newest value is what it was: servers know them for METADATA's sake, and the client of
 * applications does not offer them yet. Any thread.
 */
final class ConditionalWrites {
    private static final long CALL_MILLIS = 15_000;
    private static final long DEADLINE_MILLIS = 60_000;

    private final Calls calls;
    private final MetadataTable metadata;
    private final WriteNumbers numbers;
    private final Retry retry;

    ConditionalWrites(Network network, LockService locks, Scheduler scheduler, RandomGenerator random) {
        this.calls = new Calls(network, scheduler, CALL_MILLIS);
        this.metadata = new MetadataTable(network, locks, scheduler, random);
        this.numbers = new WriteNumbers(random.nextLong());
        this.retry = new Retry(scheduler, random, DEADLINE_MILLIS);
    }

    /**
     * Returns once it was applied. REJECTED where the condition does not hold; any other failure says by its outcome what is
     * known of it.
     */
    void apply(TableSchema table, RowMutation mutation, Condition condition)
            throws BigtableException, InterruptedException {
        WriteId id = numbers.open();
        Write write = new Write(mutation, id, Optional.of(condition));
        boolean[] inDoubt = new boolean[1];
        try {
            retry.run("row " + mutation.row(), deadline -> attempt(table, write, inDoubt, deadline));
        } catch (BigtableException failed) {
            if (inDoubt[0] && failed.outcome() == Outcome.NOT_APPLIED) {
                throw new UnavailableException(failed.getMessage(), Outcome.UNKNOWN).causedBy(failed);
            }
            throw failed;
        } finally {
            numbers.close(id);
        }
    }

    private boolean attempt(TableSchema table, Write write, boolean[] inDoubt, Deadline deadline)
            throws BigtableException, InterruptedException {
        TabletPlace place =
                metadata.locator().locate(table.id(), write.mutation().row(), deadline);
        try {
            WriteResult result = calls.mutate(place.address(), new Request.Mutate(table.id(), List.of(write)), deadline)
                    .get(0);
            if (result.failure().isPresent()) {
                throw result.failure().get();
            }
            return true;
        } catch (BigtableException failed) {
            inDoubt[0] |= failed.outcome() == Outcome.UNKNOWN;
            if (failed instanceof UnavailableException) {
                metadata.locator().forget(place);
            }
            throw failed;
        }
    }
}
