package bt.tablet;

import bt.base.Bytes;
import bt.base.Output;
import bt.base.RejectedException;
import bt.model.CellKey;
import bt.model.CellKey.Kind;
import bt.model.Change;
import bt.model.ColumnKey;
import bt.model.FamilySchema;
import bt.model.Limits;
import bt.model.RowMutation;
import bt.model.TableSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/** Turns what a client asked for into what is logged: names into ids once, before the log, under the bounds of {@link Limits}. */
public final class Resolver {
    /** Of a key beside its row and qualifier, and of the objects that hold it, roughly. */
    private static final long KEY_BYTES = 100;

    private final Bytes row;
    private final TableSchema schema;
    private final long serverTimestamp;
    private final List<Entry> entries = new ArrayList<>();

    private Resolver(Bytes row, TableSchema schema, long serverTimestamp) {
        this.row = row;
        this.schema = schema;
        this.serverTimestamp = serverTimestamp;
    }

    /** REJECTED when the table has no such family or a bound is passed. */
    public static ResolvedMutation resolve(
            RowMutation mutation, TableSchema schema, long firstSequence, long serverTimestamp)
            throws RejectedException {
        Resolver resolver = new Resolver(mutation.row(), schema, serverTimestamp);
        if (mutation.row().isEmpty()) {
            throw resolver.refused("a row key is not empty");
        }
        resolver.checkLength("row key", mutation.row(), Limits.ROW_BYTES);
        List<Change> changes = mutation.changes();
        if (changes.size() > Limits.CHANGES_PER_MUTATION) {
            throw resolver.refused(changes.size() + " changes in one mutation, at most " + Limits.CHANGES_PER_MUTATION
                    + " are taken: split it");
        }
        resolver.checkBytes(changes);
        long sequence = firstSequence;
        for (Change change : changes) {
            resolver.add(change, sequence++);
        }
        return new ResolvedMutation(mutation.row(), firstSequence, serverTimestamp, resolver.entries);
    }

    /**
     * Before there is a key: of a long row and many changes none of this would fit the memory. Zeros, of which a key has two
     * bytes each, are counted only where it may come to that.
     */
    private void checkBytes(List<Change> changes) throws RejectedException {
        if (bytesOf(changes, bytes -> 2L * bytes.length()) <= Limits.MUTATION_BYTES) {
            return;
        }
        long bytes = bytesOf(changes, Resolver::escapedBytes);
        if (bytes > Limits.MUTATION_BYTES) {
            throw refused("a mutation of " + bytes
                    + " bytes with the keys of its cells, each of which has the row's, at most " + Limits.MUTATION_BYTES
                    + " are taken: split it");
        }
    }

    private long bytesOf(List<Change> changes, ToLongFunction<Bytes> inKey) {
        long bytes = changes.size() * (inKey.applyAsLong(row) + KEY_BYTES);
        for (Change change : changes) {
            if (change instanceof Change.SetCell set) {
                bytes += inKey.applyAsLong(set.column().qualifier())
                        + set.value().length();
            } else if (change instanceof Change.DeleteColumn delete) {
                bytes += inKey.applyAsLong(delete.column().qualifier());
            } else if (change instanceof Change.DeleteVersions delete) {
                bytes += inKey.applyAsLong(delete.column().qualifier());
            } else if (change instanceof Change.DeleteVersion delete) {
                bytes += inKey.applyAsLong(delete.column().qualifier());
            }
        }
        return bytes;
    }

    private static long escapedBytes(Bytes bytes) {
        long zeros = 0;
        for (int i = 0; i < bytes.length(); i++) {
            zeros += bytes.at(i) == 0 ? 1 : 0;
        }
        return bytes.length() + zeros;
    }

    private void add(Change change, long sequence) throws RejectedException {
        switch (change.kind()) {
            case SET_CELL -> set((Change.SetCell) change, sequence);
            case DELETE_ROW -> add(CellKey.ROW_LEVEL, Optional.empty(), sequence, Kind.DELETE_ROW);
            case DELETE_FAMILY -> {
                FamilySchema family = Families.named(((Change.DeleteFamily) change).family(), schema);
                add(family.id(), Optional.empty(), sequence, Kind.DELETE_FAMILY);
            }
            case DELETE_COLUMN -> {
                ColumnKey column = ((Change.DeleteColumn) change).column();
                add(column, CellKey.NO_TIMESTAMP, sequence, Kind.DELETE_COLUMN, Bytes.EMPTY);
            }
            case DELETE_VERSIONS -> {
                Change.DeleteVersions versions = (Change.DeleteVersions) change;
                Bytes oldest = new Output(Long.BYTES).bigU64(versions.oldest()).toBytes();
                add(versions.column(), versions.newest(), sequence, Kind.DELETE_VERSIONS, oldest);
            }
            case DELETE_VERSION -> {
                Change.DeleteVersion version = (Change.DeleteVersion) change;
                add(version.column(), version.timestamp(), sequence, Kind.DELETE_VERSION, Bytes.EMPTY);
            }
            case INCREMENT, APPEND -> throw refused("what depends on the row is resolved before it comes to a log");
        }
    }

    private void set(Change.SetCell set, long sequence) throws RejectedException {
        checkLength("value", set.value(), Limits.VALUE_BYTES);
        boolean atServerTime = set.timestamp() == Change.SERVER_TIME;
        add(set.column(), atServerTime ? serverTimestamp : set.timestamp(), sequence, Kind.PUT, set.value());
    }

    private void add(ColumnKey column, long timestamp, long sequence, Kind kind, Bytes value) throws RejectedException {
        checkLength("qualifier", column.qualifier(), Limits.QUALIFIER_BYTES);
        int family = Families.named(column.family(), schema).id();
        CellKey key = new CellKey(row, family, Optional.of(column.qualifier()), timestamp, sequence, kind);
        entries.add(new Entry(key.encode(), value));
    }

    private void add(int family, Optional<Bytes> qualifier, long sequence, Kind kind) {
        CellKey key = new CellKey(row, family, qualifier, CellKey.NO_TIMESTAMP, sequence, kind);
        entries.add(new Entry(key.encode(), Bytes.EMPTY));
    }

    private void checkLength(String what, Bytes bytes, int max) throws RejectedException {
        if (bytes.length() > max) {
            throw refused("a " + what + " of " + bytes.length() + " bytes, at most " + max + " are taken");
        }
    }

    private RejectedException refused(String fact) {
        return new RejectedException(schema.name() + ": " + fact);
    }
}
