package bt.protocol;

import bt.base.BigtableException;
import bt.base.CorruptionException;
import bt.base.Input;
import bt.base.Output;
import bt.model.RowSet;
import bt.model.RowWalk;

/** {@link Request.Scan}: table, direction, ranges, filter, bounds of the page, where to go on. */
final class ScanCodec {
    /** More make a request slow before a row of it is read. The library asks for fewer at a time, of sets of any size. */
    private static final int MAX_RANGES = 10_000;

    private ScanCodec() {}

    static void encode(Request.Scan scan, Output out) {
        out.varint(scan.tableId()).u8(scan.walk().reversed() ? 1 : 0);
        RowSetCodec.encode(scan.walk().rows(), out);
        FilterCodec.encode(scan.filter(), out);
        out.varint(scan.bounds().rows())
                .varint(scan.bounds().cells())
                .varint(scan.bounds().bytes());
        Fields.resume(scan.resume(), out);
    }

    static Request.Scan decode(Input in, Growth growth) throws BigtableException {
        return new Request.Scan(
                in.varint("table id"),
                walk(in, growth),
                new FilterDecoder(growth).decode(in),
                bounds(in),
                Fields.resume(in));
    }

    private static RowWalk walk(Input in, Growth growth) throws BigtableException {
        boolean reversed = Fields.present(in, "direction");
        RowSet rows = RowSetCodec.decode(in, MAX_RANGES, growth);
        // Ranges in which no row can lie are none: what is read here can be written and read again.
        if (rows.ranges().isEmpty()) {
            throw in.corrupt("a scan of no rows");
        }
        return new RowWalk(rows, reversed);
    }

    private static PageBounds bounds(Input in) throws CorruptionException {
        return new PageBounds(
                in.length("rows of a page", Integer.MAX_VALUE),
                in.length("cells of a page", Integer.MAX_VALUE),
                in.length("bytes of a page", Integer.MAX_VALUE));
    }
}
