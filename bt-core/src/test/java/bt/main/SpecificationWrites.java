package bt.main;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.model.ColumnKey;
import bt.model.ConditionalMutation;
import bt.model.RowMutation;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A door for the writes of a {@link Specification}: each does what the method of a table does that has its name. */
public interface SpecificationWrites {
    long apply(String table, RowMutation mutation) throws BigtableException;

    boolean apply(String table, ConditionalMutation mutation) throws BigtableException;

    Map<ColumnKey, Bytes> modify(String table, RowMutation mutation) throws BigtableException;

    /** Of each why it failed, if it did, in their order. */
    List<Optional<BigtableException>> applyAll(String table, List<RowMutation> mutations) throws BigtableException;
}
