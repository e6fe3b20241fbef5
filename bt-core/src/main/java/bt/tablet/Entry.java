package bt.tablet;

import bt.base.Bytes;

/** An encoded {@link bt.model.CellKey} and what it holds. */
public record Entry(Bytes key, Bytes value) {}
