package bt.tablet;

import bt.base.Bytes;
import bt.base.RejectedException;
import bt.model.Change;
import bt.model.ColumnKey;
import bt.model.Limits;
import bt.model.RowMutation;
import bt.model.TableSchema;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/** Judges a mutation by the bounds of {@link Limits} and the families of its table, as far as that can be told without its row. */
public final class MutationCheck {
    /** Of a key beside its row and qualifier, and of the objects that hold it, roughly. */
    private static final long KEY_BYTES = 100;

    private final RowMutation mutation;
    private final TableSchema schema;

    private MutationCheck(RowMutation mutation, TableSchema schema) {
        this.mutation = mutation;
        this.schema = schema;
    }

    /** REJECTED when the table has no such family or a bound is passed. */
    public static void check(RowMutation mutation, TableSchema schema) throws RejectedException {
        MutationCheck check = new MutationCheck(mutation, schema);
        check.checkRow();
        check.checkCount();
        check.checkBytes();
        for (Change change : mutation.changes()) {
            check.check(change);
        }
    }

    private void checkRow() throws RejectedException {
        if (mutation.row().isEmpty()) {
            throw new RejectedException(
                    "table " + schema.name() + ": a row key is not empty",
                    "give it 1 to " + schema.maxRowBytes() + " bytes");
        }
        checkLength("row key", mutation.row(), schema.maxRowBytes(), "shorten it");
    }

    private void checkCount() throws RejectedException {
        int count = mutation.changes().size();
        if (count > Limits.CHANGES_PER_MUTATION) {
            throw refused(
                    count + " changes in one mutation, at most " + Limits.CHANGES_PER_MUTATION + " are taken",
                    "split it");
        }
    }

    /**
     * Before there is a key: of a long row and many changes none of this would fit the memory. Zeros, of which a key has two
     * bytes each, are counted only where it may come to that.
     */
    private void checkBytes() throws RejectedException {
        if (bytesOf(bytes -> 2L * bytes.length()) <= Limits.MUTATION_BYTES) {
            return;
        }
        long bytes = bytesOf(MutationCheck::escapedBytes);
        if (bytes > Limits.MUTATION_BYTES) {
            throw refused(
                    "a mutation of " + bytes
                            + " bytes with the keys of its cells, each of which has the row's, at most "
                            + Limits.MUTATION_BYTES
                            + " are taken",
                    "split it");
        }
    }

    private long bytesOf(ToLongFunction<Bytes> inKey) {
        List<Change> changes = mutation.changes();
        long bytes = changes.size() * (inKey.applyAsLong(mutation.row()) + KEY_BYTES);
        for (Change change : changes) {
            bytes += inKey.applyAsLong(change.qualifier()) + valueOf(change).length();
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

    private void check(Change change) throws RejectedException {
        checkLength("value", valueOf(change), Limits.VALUE_BYTES, "cut it into several cells");
        Optional<ColumnKey> read = change.changed();
        if (read.isPresent()) {
            checkLength(
                    "qualifier that is read by name",
                    read.get().qualifier(),
                    Limits.NAMED_QUALIFIER_BYTES,
                    "shorten it, or set the cell");
        }
        checkLength("qualifier", change.qualifier(), Limits.QUALIFIER_BYTES, "shorten it");
        switch (change.kind()) {
            case SET_CELL -> checkFamily(((Change.SetCell) change).column().family());
            case DELETE_ROW -> {}
            case DELETE_FAMILY -> checkFamily(((Change.DeleteFamily) change).family());
            case DELETE_COLUMN ->
                checkFamily(((Change.DeleteColumn) change).column().family());
            case DELETE_VERSIONS ->
                checkFamily(((Change.DeleteVersions) change).column().family());
            case DELETE_VERSION ->
                checkFamily(((Change.DeleteVersion) change).column().family());
            case INCREMENT, APPEND -> checkFamily(change.changed().orElseThrow().family());
        }
    }

    private void checkFamily(String family) throws RejectedException {
        Families.named(family, schema);
    }

    private void checkLength(String what, Bytes bytes, int max, String advice) throws RejectedException {
        if (bytes.length() > max) {
            throw refused("a " + what + " of " + bytes.length() + " bytes, at most " + max + " are taken", advice);
        }
    }

    private RejectedException refused(String fact, String advice) {
        return new RejectedException(
                "table " + schema.name() + " row " + mutation.row().brief() + ": " + fact, advice);
    }

    private static Bytes valueOf(Change change) {
        return switch (change.kind()) {
            case SET_CELL -> ((Change.SetCell) change).value();
            case APPEND -> ((Change.Append) change).value();
            case DELETE_ROW, DELETE_FAMILY, DELETE_COLUMN, DELETE_VERSIONS, DELETE_VERSION, INCREMENT -> Bytes.EMPTY;
        };
    }
}
