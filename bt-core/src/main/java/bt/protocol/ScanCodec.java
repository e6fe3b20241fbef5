package bt.protocol;

import bt.base.BigtableException;
import bt.base.CorruptionException;
import bt.base.Input;
import bt.base.Output;
import bt.model.RowRange;

/** {@link Request.Scan}: table, range, filter, bounds of the page, where to go on. */
final class ScanCodec {
    private ScanCodec() {}

    static void encode(Request.Scan scan, Output out) {
        out.varint(scan.tableId()).bytes(scan.range().start());
        Fields.optional(scan.range().end(), out);
        FilterCodec.encode(scan.filter(), out);
        out.varint(scan.bounds().rows())
                .varint(scan.bounds().cells())
                .varint(scan.bounds().bytes());
        Fields.resume(scan.resume(), out);
    }

    static Request.Scan decode(Input in) throws BigtableException {
        return new Request.Scan(
                in.varint("table id"),
                new RowRange(in.bytes("start row"), Fields.optional(in, "end row")),
                FilterCodec.decode(in),
                bounds(in),
                Fields.resume(in));
    }

    private static PageBounds bounds(Input in) throws CorruptionException {
        return new PageBounds(
                in.length("rows of a page", Integer.MAX_VALUE),
                in.length("cells of a page", Integer.MAX_VALUE),
                in.length("bytes of a page", Integer.MAX_VALUE));
    }
}
