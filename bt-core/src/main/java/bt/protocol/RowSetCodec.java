package bt.protocol;

import bt.base.BigtableException;
import bt.base.Input;
import bt.base.Output;
import bt.base.RejectedException;
import bt.model.RowRange;
import bt.model.RowSet;
import java.util.ArrayList;
import java.util.List;

/** A set of rows and ranges: their number, then of each its start, whether it ends, and where. */
public final class RowSetCodec {
    /** Its start, empty, and that it has no end. */
    private static final int LEAST_RANGE_BYTES = 2;

    /** In memory, of a range, beside its bytes on the wire, of which it has views. */
    private static final int RANGE_BYTES = 100;

    private RowSetCodec() {}

    public static void encode(RowSet rows, Output out) {
        out.varint(rows.ranges().size());
        for (RowRange range : rows.ranges()) {
            out.bytes(range.start());
            Fields.optional(range.end(), out);
        }
    }

    /** CORRUPTION: not a set. REJECTED: it has more ranges than {@code most}. */
    public static RowSet decode(Input in, int most) throws BigtableException {
        return decode(in, most, new Growth(Room.ENDLESS));
    }

    /** OVERLOADED as well: there is no room for so many. */
    static RowSet decode(Input in, int most, Growth growth) throws BigtableException {
        int count = Fields.count(in, "ranges", LEAST_RANGE_BYTES);
        if (count > most) {
            throw new RejectedException(
                    "a scan of " + count + " rows and ranges, " + most + " at most", "ask in several requests");
        }
        growth.by(count, RANGE_BYTES);
        List<RowRange> ranges = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            ranges.add(new RowRange(in.bytes("start row"), Fields.optional(in, "end row")));
        }
        return new RowSet(ranges);
    }
}
