package bt.protocol;

import bt.base.BigtableException;
import bt.base.CorruptionException;
import bt.base.Input;
import bt.base.Output;
import bt.base.RejectedException;
import bt.model.RowRange;
import bt.model.RowSet;
import bt.model.RowWalk;
import java.util.ArrayList;
import java.util.List;

/** {@link Request.Scan}: table, direction, ranges, filter, bounds of the page, where to go on. */
final class ScanCodec {
    /** More make a request slow before a row of it is read. */
    private static final int MAX_RANGES = 10_000;

    /** Its start, empty, and that it has no end. */
    private static final int LEAST_RANGE_BYTES = 2;

    private ScanCodec() {}

    static void encode(Request.Scan scan, Output out) {
        List<RowRange> ranges = scan.walk().rows().ranges();
        out.varint(scan.tableId()).u8(scan.walk().reversed() ? 1 : 0).varint(ranges.size());
        for (RowRange range : ranges) {
            out.bytes(range.start());
            Fields.optional(range.end(), out);
        }
        FilterCodec.encode(scan.filter(), out);
        out.varint(scan.bounds().rows())
                .varint(scan.bounds().cells())
                .varint(scan.bounds().bytes());
        Fields.resume(scan.resume(), out);
    }

    static Request.Scan decode(Input in) throws BigtableException {
        return new Request.Scan(in.varint("table id"), walk(in), FilterCodec.decode(in), bounds(in), Fields.resume(in));
    }

    private static RowWalk walk(Input in) throws BigtableException {
        boolean reversed = Fields.present(in, "direction");
        int count = Fields.count(in, "ranges", LEAST_RANGE_BYTES);
        if (count > MAX_RANGES) {
            throw new RejectedException(
                    "a scan of " + count + " rows and ranges, " + MAX_RANGES + " at most: ask in several requests");
        }
        List<RowRange> ranges = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            ranges.add(new RowRange(in.bytes("start row"), Fields.optional(in, "end row")));
        }
        RowSet rows = new RowSet(ranges);
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
