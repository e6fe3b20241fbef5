package bt.tablet;

import bt.base.Bytes;
import bt.base.Output;
import bt.base.RejectedException;
import bt.model.CellKey;
import bt.model.CellKey.Kind;
import bt.model.Change;
import bt.model.ColumnKey;
import bt.model.FamilySchema;
import bt.model.RowMutation;
import bt.model.TableSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Turns what a client asked for into what is logged: names into ids once, before the log. */
public final class Resolver {
    private final Bytes row;
    private final TableSchema schema;
    private final long serverTimestamp;
    private final List<Entry> entries = new ArrayList<>();

    private Resolver(Bytes row, TableSchema schema, long serverTimestamp) {
        this.row = row;
        this.schema = schema;
        this.serverTimestamp = serverTimestamp;
    }

    /** REJECTED as {@link MutationCheck} says. */
    public static ResolvedMutation resolve(
            RowMutation mutation, TableSchema schema, long firstSequence, long serverTimestamp)
            throws RejectedException {
        MutationCheck.check(mutation, schema);
        Resolver resolver = new Resolver(mutation.row(), schema, serverTimestamp);
        long sequence = firstSequence;
        for (Change change : mutation.changes()) {
            resolver.add(change, sequence++);
        }
        return new ResolvedMutation(mutation.row(), firstSequence, serverTimestamp, resolver.entries);
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
            case INCREMENT, APPEND ->
                throw new RejectedException(
                        schema.name() + ": what depends on the row is resolved before it comes to a log",
                        "resolve it first");
        }
    }

    private void set(Change.SetCell set, long sequence) throws RejectedException {
        boolean atServerTime = set.timestamp() == Change.SERVER_TIME;
        add(set.column(), atServerTime ? serverTimestamp : set.timestamp(), sequence, Kind.PUT, set.value());
    }

    private void add(ColumnKey column, long timestamp, long sequence, Kind kind, Bytes value) throws RejectedException {
        int family = Families.named(column.family(), schema).id();
        CellKey key = new CellKey(row, family, Optional.of(column.qualifier()), timestamp, sequence, kind);
        entries.add(new Entry(key.encode(), value));
    }

    private void add(int family, Optional<Bytes> qualifier, long sequence, Kind kind) {
        CellKey key = new CellKey(row, family, qualifier, CellKey.NO_TIMESTAMP, sequence, kind);
        entries.add(new Entry(key.encode(), Bytes.EMPTY));
    }
}
