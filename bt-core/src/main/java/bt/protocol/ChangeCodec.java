package bt.protocol;

import bt.base.CorruptionException;
import bt.base.Input;
import bt.base.Output;
import bt.model.Change;

/** One {@link Change}: the number of its kind, then its fields. */
final class ChangeCodec {
    /** Once: each call of {@code values()} is an array of its own. */
    private static final Change.Kind[] KINDS = Change.Kind.values();

    private ChangeCodec() {}

    static void encode(Change change, Output out) {
        out.u8(change.kind().number());
        switch (change.kind()) {
            case SET_CELL -> {
                Change.SetCell set = (Change.SetCell) change;
                Fields.column(set.column(), out);
                out.u64(set.timestamp()).lend(set.value());
            }
            case DELETE_ROW -> {}
            case DELETE_FAMILY -> out.text(((Change.DeleteFamily) change).family());
            case DELETE_COLUMN -> Fields.column(((Change.DeleteColumn) change).column(), out);
            case DELETE_VERSIONS -> {
                Change.DeleteVersions delete = (Change.DeleteVersions) change;
                Fields.column(delete.column(), out);
                out.u64(delete.oldest()).u64(delete.newest());
            }
            case DELETE_VERSION -> {
                Change.DeleteVersion delete = (Change.DeleteVersion) change;
                Fields.column(delete.column(), out);
                out.u64(delete.timestamp());
            }
            case INCREMENT -> {
                Change.Increment increment = (Change.Increment) change;
                Fields.column(increment.column(), out);
                out.u64(increment.amount());
            }
            case APPEND -> {
                Change.Append append = (Change.Append) change;
                Fields.column(append.column(), out);
                out.bytes(append.value());
            }
        }
    }

    static Change decode(Input in) throws CorruptionException {
        return switch (Fields.kind(in, "change kind", KINDS, Change.Kind::number)) {
            case SET_CELL -> new Change.SetCell(Fields.column(in), in.u64("timestamp"), in.bytes("value"));
            case DELETE_ROW -> new Change.DeleteRow();
            case DELETE_FAMILY -> new Change.DeleteFamily(in.text("family"));
            case DELETE_COLUMN -> new Change.DeleteColumn(Fields.column(in));
            case DELETE_VERSIONS ->
                new Change.DeleteVersions(Fields.column(in), in.u64("oldest timestamp"), in.u64("newest timestamp"));
            case DELETE_VERSION -> new Change.DeleteVersion(Fields.column(in), in.u64("timestamp"));
            case INCREMENT -> new Change.Increment(Fields.column(in), in.u64("amount"));
            case APPEND -> new Change.Append(Fields.column(in), in.bytes("value"));
        };
    }
}
