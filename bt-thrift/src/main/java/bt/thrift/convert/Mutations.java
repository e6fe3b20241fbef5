package bt.thrift.convert;

import static bt.thrift.convert.Given.present;
import static bt.thrift.convert.Given.valid;

import bt.base.Bytes;
import bt.base.RejectedException;
import bt.client.Written;
import bt.model.Change;
import bt.model.ColumnKey;
import bt.model.ConditionalMutation;
import bt.model.Filter;
import bt.model.RowMutation;
import bt.model.Timestamps;
import bt.thrift.gen.Append;
import bt.thrift.gen.DeleteVersion;
import bt.thrift.gen.DeleteVersions;
import bt.thrift.gen.Increment;
import bt.thrift.gen.MutationResult;
import bt.thrift.gen.SetCell;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Mutations, which only ever come in, and what became of them. */
public final class Mutations {
    /** As many as a batch of the library holds. */
    private static final int AT_ONCE = 10_000;

    private Mutations() {}

    public static RowMutation of(bt.thrift.gen.@Nullable RowMutation given) throws RejectedException {
        bt.thrift.gen.RowMutation mutation = present(given, "mutation");
        Bytes row = Binaries.of(present(mutation.bufferForRow(), "mutation.row"));
        List<Change> changes = changes(present(mutation.getChanges(), "mutation.changes"));
        return valid(() -> new RowMutation(row, changes));
    }

    /** At most so many as one call may have, none of which is applied if one of them cannot be. */
    public static List<RowMutation> all(@Nullable List<bt.thrift.gen.RowMutation> given) throws RejectedException {
        List<bt.thrift.gen.RowMutation> mutations = present(given, "mutations");
        if (mutations.size() > AT_ONCE) {
            throw new RejectedException(
                    mutations.size() + " mutations in one call: at most " + AT_ONCE, "make more calls");
        }
        List<RowMutation> converted = new ArrayList<>();
        for (bt.thrift.gen.RowMutation mutation : mutations) {
            converted.add(of(mutation));
        }
        return converted;
    }

    public static ConditionalMutation conditional(bt.thrift.gen.@Nullable ConditionalMutation given)
            throws RejectedException {
        bt.thrift.gen.ConditionalMutation mutation = present(given, "mutation");
        Bytes row = Binaries.of(present(mutation.bufferForRow(), "mutation.row"));
        Filter predicate = Filters.of(mutation.getPredicate());
        List<Change> passes = mutation.isSetPasses() ? changes(mutation.getPasses()) : List.of();
        List<Change> otherwise = mutation.isSetOtherwise() ? changes(mutation.getOtherwise()) : List.of();
        return valid(() -> new ConditionalMutation(row, predicate, passes, otherwise));
    }

    public static MutationResult result(Written written) {
        return written.failure()
                .map(failure -> new MutationResult().setError(Errors.brief(failure)))
                .orElseGet(() -> new MutationResult().setResult(written.answer()));
    }

    private static List<Change> changes(List<bt.thrift.gen.Change> given) throws RejectedException {
        List<Change> changes = new ArrayList<>();
        for (bt.thrift.gen.Change change : given) {
            changes.add(of(change));
        }
        return changes;
    }

    private static Change of(bt.thrift.gen.Change change) throws RejectedException {
        return switch (present(change.getSetField(), "what one of mutation.changes does")) {
            case SET_CELL -> set(change.getSetCell());
            case DELETE_ROW -> new Change.DeleteRow();
            case DELETE_FAMILY -> new Change.DeleteFamily(change.getDeleteFamily());
            case DELETE_COLUMN -> new Change.DeleteColumn(Columns.of(change.getDeleteColumn()));
            case DELETE_VERSIONS -> versions(change.getDeleteVersions());
            case DELETE_VERSION -> version(change.getDeleteVersion());
            case INCREMENT -> increment(change.getIncrement());
            case APPEND -> append(change.getAppend());
        };
    }

    private static Change set(SetCell set) throws RejectedException {
        long timestamp = set.isSetTimestamp() ? valid(() -> Timestamps.given(set.getTimestamp())) : Change.SERVER_TIME;
        return new Change.SetCell(
                Columns.of(set.getColumn()), timestamp, Binaries.of(present(set.bufferForValue(), "setCell.value")));
    }

    private static Change increment(Increment increment) throws RejectedException {
        Given.set(increment.isSetAmount(), "increment.amount");
        return new Change.Increment(Columns.of(increment.getColumn()), increment.getAmount());
    }

    private static Change append(Append append) throws RejectedException {
        return new Change.Append(
                Columns.of(append.getColumn()), Binaries.of(present(append.bufferForValue(), "append.value")));
    }

    private static Change versions(DeleteVersions delete) throws RejectedException {
        ColumnKey column = Columns.of(delete.getColumn());
        Given.set(delete.isSetOldest(), "deleteVersions.oldest");
        Given.set(delete.isSetNewest(), "deleteVersions.newest");
        return valid(() -> new Change.DeleteVersions(column, delete.getOldest(), delete.getNewest()));
    }

    private static Change version(DeleteVersion delete) throws RejectedException {
        Given.set(delete.isSetTimestamp(), "deleteVersion.timestamp");
        return new Change.DeleteVersion(Columns.of(delete.getColumn()), delete.getTimestamp());
    }
}
