package bt.metadata;

import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Input;
import bt.base.Output;
import bt.model.RowRange;
import bt.model.TabletId;
import java.util.Optional;

/**
 * Row keys of METADATA: table id, 8 bytes big-endian, then 00 and the end row, or FF for the table's last tablet. So the
 * first key at or above a row's look-up key is that of the tablet which holds the row.
 */
public final class MetadataKeys {
    /** Of a row key, the table's id and what comes before the end row. */
    private static final int OVERHEAD_BYTES = 9;

    private static final int ENDS_AT_A_ROW = 0x00;
    private static final int LAST = 0xff;

    private MetadataKeys() {}

    public static Bytes of(TabletId tablet) {
        return tablet.endRow()
                .map(end -> lookUp(tablet.tableId(), end))
                .orElseGet(() -> lastTabletOf(tablet.tableId()));
    }

    /** Where to begin the search for the tablet that holds a row. */
    public static Bytes lookUp(long tableId, Bytes row) {
        return new Output(OVERHEAD_BYTES + row.length())
                .bigU64(tableId)
                .u8(ENDS_AT_A_ROW)
                .raw(row)
                .toBytes();
    }

    /** The METADATA rows of the tables from one id to another, both included. */
    public static RowRange tables(long from, long to) {
        return RowRange.of(
                new Output(8).bigU64(from).toBytes(), lastTabletOf(to).successor());
    }

    public static TabletId decode(Bytes key) throws CorruptionException {
        Input in = Input.of("METADATA row " + key.brief(), key);
        long tableId = in.bigU64("table id");
        int kind = in.u8("kind of end");
        if (kind == LAST) {
            in.end("the key of a last tablet");
            return new TabletId(tableId, Optional.empty());
        }
        if (kind != ENDS_AT_A_ROW) {
            throw in.corrupt("kind of end is " + kind + ", neither 0 nor 255");
        }
        return new TabletId(tableId, Optional.of(in.raw("end row", in.remaining())));
    }

    static Bytes lastTabletOf(long tableId) {
        return new Output(9).bigU64(tableId).u8(LAST).toBytes();
    }
}
