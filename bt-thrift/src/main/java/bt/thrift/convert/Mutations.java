package bt.thrift.convert;

import static bt.thrift.convert.Given.present;
import static bt.thrift.convert.Given.valid;

import bt.base.Bytes;
import bt.base.RejectedException;
import bt.model.Change;
import bt.model.ColumnKey;
import bt.model.RowMutation;
import bt.thrift.gen.DeleteVersion;
import bt.thrift.gen.DeleteVersions;
import bt.thrift.gen.SetCell;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Mutations, which only ever come in. */
public final class Mutations {
    private Mutations() {}

    public static RowMutation of(bt.thrift.gen.@Nullable RowMutation given) throws RejectedException {
        bt.thrift.gen.RowMutation mutation = present(given, "mutation");
        Bytes row = Binaries.of(present(mutation.bufferForRow(), "mutation.row"));
        List<Change> changes = new ArrayList<>();
        for (bt.thrift.gen.Change change : present(mutation.getChanges(), "mutation.changes")) {
            changes.add(of(change));
        }
        return valid(() -> new RowMutation(row, changes));
    }

    private static Change of(bt.thrift.gen.Change change) throws RejectedException {
        return switch (present(change.getSetField(), "what one of mutation.changes does")) {
            case SET_CELL -> set(change.getSetCell());
            case DELETE_ROW -> new Change.DeleteRow();
            case DELETE_FAMILY -> new Change.DeleteFamily(change.getDeleteFamily());
            case DELETE_COLUMN -> new Change.DeleteColumn(Columns.of(change.getDeleteColumn()));
            case DELETE_VERSIONS -> versions(change.getDeleteVersions());
            case DELETE_VERSION -> version(change.getDeleteVersion());
        };
    }

    private static Change set(SetCell set) throws RejectedException {
        return new Change.SetCell(
                Columns.of(set.getColumn()),
                set.isSetTimestamp() ? set.getTimestamp() : Change.SERVER_TIME,
                Binaries.of(present(set.bufferForValue(), "setCell.value")));
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
