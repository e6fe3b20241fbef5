package bt.main;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Failures;
import bt.base.RejectedException;
import bt.client.BatchWriter;
import bt.client.Bigtable;
import bt.model.ColumnKey;
import bt.model.ConditionalMutation;
import bt.model.RowMutation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The library's own door; what is applied together goes through a batch. */
record LibraryWrites(Bigtable bigtable) implements SpecificationWrites {
    @Override
    public long apply(String table, RowMutation mutation) throws BigtableException {
        return bigtable.table(table).apply(mutation);
    }

    @Override
    public boolean apply(String table, ConditionalMutation mutation) throws BigtableException {
        return bigtable.table(table).apply(mutation);
    }

    @Override
    public Map<ColumnKey, Bytes> modify(String table, RowMutation mutation) throws BigtableException {
        return bigtable.table(table).modify(mutation);
    }

    @Override
    public List<Optional<BigtableException>> applyAll(String table, List<RowMutation> mutations)
            throws BigtableException {
        List<CompletableFuture<Long>> results = new ArrayList<>();
        BatchWriter batch = bigtable.table(table).batch();
        for (RowMutation mutation : mutations) {
            results.add(added(batch, mutation));
        }
        try {
            batch.close();
        } catch (RejectedException told) {
            // The results say the same of each.
        }
        return results.stream().map(LibraryWrites::failure).toList();
    }

    /** A mutation is not taken by a call that tells of one before it. */
    private static CompletableFuture<Long> added(BatchWriter batch, RowMutation mutation) throws BigtableException {
        while (true) {
            try {
                return batch.add(mutation);
            } catch (RejectedException told) {
                // Of each only once, so this comes to an end.
            }
        }
    }

    private static Optional<BigtableException> failure(CompletableFuture<Long> result) {
        return result.handle((value, failed) -> {
                    if (failed == null) {
                        return Optional.<BigtableException>empty();
                    }
                    if (Failures.unwrap(failed) instanceof BigtableException failure) {
                        return Optional.of(failure);
                    }
                    throw new AssertionError(failed);
                })
                .join();
    }
}
