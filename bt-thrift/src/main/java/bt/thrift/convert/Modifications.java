package bt.thrift.convert;

import bt.base.Bytes;
import bt.base.RejectedException;
import bt.model.Change;
import bt.model.ColumnKey;
import bt.model.Counter;
import bt.model.RowMutation;
import bt.thrift.gen.Modified;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Mutations whose caller wants to know what their increments and appends have made. */
public final class Modifications {
    /** What a column of an answer needs beside its own bytes and its value, in the wider of the two protocols. */
    private static final long OVERHEAD = 48;

    private Modifications() {}

    /** REJECTED for a mutation that makes nothing of what is there: it has nothing to answer. */
    public static RowMutation of(bt.thrift.gen.@Nullable RowMutation given) throws RejectedException {
        RowMutation mutation = Mutations.of(given);
        if (mutation.changes().stream().noneMatch(change -> change.changed().isPresent())) {
            throw new RejectedException(
                    "row " + mutation.row().brief()
                            + ": mutation.changes has no increment and no append, so it has no values to answer",
                    "use mutate");
        }
        return mutation;
    }

    /**
     * What is answered: of each increment and append its column, and its value where so many bytes of an answer hold it. That
     * the columns fit is sure, for a frame has brought them; and it would be late to refuse, for the mutation is applied.
     */
    public static List<Modified> of(RowMutation applied, Map<ColumnKey, Bytes> values, long room) {
        long left = room;
        for (ColumnKey column : values.keySet()) {
            left -= OVERHEAD + column.family().length() + column.qualifier().length();
        }
        List<Modified> made = new ArrayList<>();
        for (Change change : applied.changes()) {
            if (change.changed().isPresent()) {
                ColumnKey column = change.changed().get();
                Bytes value = values.get(column);
                Modified modified = new Modified().setColumn(Columns.of(column));
                if (value != null && value.length() <= left) {
                    modified.setValue(Binaries.of(value));
                    left -= value.length();
                    if (change instanceof Change.Increment) {
                        modified.setSum(Counter.decode(value));
                    }
                }
                made.add(modified);
            }
        }
        return made;
    }
}
