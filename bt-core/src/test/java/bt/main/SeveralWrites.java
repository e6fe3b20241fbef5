package bt.main;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.client.Bigtable;
import bt.client.Written;
import bt.model.ColumnKey;
import bt.model.ConditionalMutation;
import bt.model.RowMutation;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The door for several mutations at once, one of which goes through it as one of a list; what it does not take is the table's. */
record SeveralWrites(Bigtable bigtable) implements SpecificationWrites {
    @Override
    public long apply(String table, RowMutation mutation) throws BigtableException {
        Written written = bigtable.table(table).applyAll(List.of(mutation)).get(0);
        if (written.failure().isPresent()) {
            throw written.failure().get();
        }
        return written.answer();
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
        return bigtable.table(table).applyAll(mutations).stream()
                .map(Written::failure)
                .toList();
    }
}
