package bt.main;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Scheduler;
import bt.client.AsyncTable;
import bt.client.Bigtable;
import bt.client.Written;
import bt.model.ColumnKey;
import bt.model.ConditionalMutation;
import bt.model.RowMutation;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The door of asynchronous tables, each call of which is waited for. */
record AsyncWrites(Bigtable bigtable, Scheduler scheduler) implements SpecificationWrites {
    private static final long TIMEOUT_MILLIS = 120_000;

    @Override
    public long apply(String table, RowMutation mutation) throws BigtableException {
        return await(open(table).apply(mutation));
    }

    @Override
    public boolean apply(String table, ConditionalMutation mutation) throws BigtableException {
        return await(open(table).apply(mutation));
    }

    @Override
    public Map<ColumnKey, Bytes> modify(String table, RowMutation mutation) throws BigtableException {
        return await(open(table).modify(mutation));
    }

    @Override
    public List<Optional<BigtableException>> applyAll(String table, List<RowMutation> mutations)
            throws BigtableException {
        return await(open(table).applyAll(mutations)).stream()
                .map(Written::failure)
                .toList();
    }

    private AsyncTable open(String table) throws BigtableException {
        return bigtable.asyncTable(table);
    }

    private <T> T await(CompletableFuture<T> call) throws BigtableException {
        try {
            return scheduler.await(call, TIMEOUT_MILLIS);
        } catch (InterruptedException ended) {
            throw new AssertionError(ended);
        }
    }
}
