package bt.protocol;

import bt.base.Bytes;
import bt.model.ColumnKey;
import java.util.Optional;

/** The write happens only if the column's newest value is this one; empty: only if the column has no value. */
public record Condition(ColumnKey column, Optional<Bytes> value) {}
