package bt.thrift.convert;

import bt.model.Cell;
import bt.model.Change;
import bt.model.ColumnKey;
import bt.model.ConditionalMutation;
import bt.model.Row;
import bt.model.RowMutation;
import bt.thrift.gen.Append;
import bt.thrift.gen.DeleteRow;
import bt.thrift.gen.DeleteVersion;
import bt.thrift.gen.DeleteVersions;
import bt.thrift.gen.Increment;
import bt.thrift.gen.SetCell;
import java.util.List;
import org.apache.thrift.TBase;
import org.apache.thrift.TDeserializer;
import org.apache.thrift.TException;
import org.apache.thrift.TSerializer;
import org.apache.thrift.protocol.TCompactProtocol;

/** What a caller does to speak to us: the opposite direction of what comes in or goes out, and the wire between. */
public final class CallerSide {
    private CallerSide() {}

    public static bt.thrift.gen.RowMutation of(RowMutation mutation) {
        return new bt.thrift.gen.RowMutation(
                Binaries.of(mutation.row()),
                mutation.changes().stream().map(CallerSide::of).toList());
    }

    public static bt.thrift.gen.ConditionalMutation of(ConditionalMutation mutation) {
        return new bt.thrift.gen.ConditionalMutation(Binaries.of(mutation.row()))
                .setPasses(mutation.passes().stream().map(CallerSide::of).toList())
                .setOtherwise(mutation.otherwise().stream().map(CallerSide::of).toList());
    }

    static Row of(bt.thrift.gen.Row row) {
        List<Cell> cells = row.getCells().stream()
                .map(cell -> new Cell(
                        Binaries.of(row.bufferForKey()),
                        new ColumnKey(
                                cell.getColumn().getFamily(),
                                Binaries.of(cell.getColumn().bufferForQualifier())),
                        cell.getTimestamp(),
                        Binaries.of(cell.bufferForValue()),
                        cell.isSetLabel() ? cell.getLabel() : ""))
                .toList();
        return new Row(Binaries.of(row.bufferForKey()), cells);
    }

    /** A value as it comes out of the wire at the other end. */
    static <T extends TBase<T, ?>> T sent(T value, T empty) throws TException {
        new TDeserializer(new TCompactProtocol.Factory()).deserialize(empty, bytes(value));
        return empty;
    }

    static byte[] bytes(TBase<?, ?> value) throws TException {
        return new TSerializer(new TCompactProtocol.Factory()).serialize(value);
    }

    private static bt.thrift.gen.Change of(Change change) {
        if (change instanceof Change.SetCell set) {
            SetCell sent = new SetCell(Columns.of(set.column()), Binaries.of(set.value()));
            return bt.thrift.gen.Change.setCell(
                    set.timestamp() == Change.SERVER_TIME ? sent : sent.setTimestamp(set.timestamp()));
        }
        if (change instanceof Change.DeleteFamily delete) {
            return bt.thrift.gen.Change.deleteFamily(delete.family());
        }
        if (change instanceof Change.DeleteColumn delete) {
            return bt.thrift.gen.Change.deleteColumn(Columns.of(delete.column()));
        }
        if (change instanceof Change.DeleteVersions delete) {
            return bt.thrift.gen.Change.deleteVersions(
                    new DeleteVersions(Columns.of(delete.column()), delete.oldest(), delete.newest()));
        }
        if (change instanceof Change.DeleteVersion delete) {
            return bt.thrift.gen.Change.deleteVersion(
                    new DeleteVersion(Columns.of(delete.column()), delete.timestamp()));
        }
        if (change instanceof Change.Increment increment) {
            return bt.thrift.gen.Change.increment(new Increment(Columns.of(increment.column()), increment.amount()));
        }
        if (change instanceof Change.Append append) {
            return bt.thrift.gen.Change.append(new Append(Columns.of(append.column()), Binaries.of(append.value())));
        }
        return bt.thrift.gen.Change.deleteRow(new DeleteRow());
    }
}
