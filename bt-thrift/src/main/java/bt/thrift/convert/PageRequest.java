package bt.thrift.convert;

import static bt.thrift.convert.Given.present;
import static bt.thrift.convert.Given.valid;

import bt.base.Bytes;
import bt.base.RejectedException;
import bt.client.ReadLimits;
import bt.model.RowRange;
import bt.model.RowSet;
import bt.thrift.gen.Scan;
import bt.thrift.gen.ScanRows;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A scan, and where a page of it ends at the latest. */
public record PageRequest(bt.client.Scan scan, int rows, int bytes) {
    static final int DEFAULT_ROWS = 1_000;
    static final int MAX_ROWS = 10_000;
    static final int DEFAULT_BYTES = 1 << 20;
    static final int MAX_BYTES = 4 << 20;

    /** It comes with every page. */
    static final int MAX_RANGES = 100_000;

    public static PageRequest of(@Nullable Scan given) throws RejectedException {
        Scan scan = present(given, "scan");
        bt.client.Scan upwards = bt.client.Scan.of(rows(scan).intersect(range(scan)))
                .filtered(Filters.of(scan.getFilter()))
                .limited(limits(scan.getLimits()));
        return new PageRequest(
                scan.isReversed() ? upwards.reversed() : upwards,
                bound("scan.pageRows", scan.isSetPageRows() ? scan.getPageRows() : DEFAULT_ROWS, MAX_ROWS),
                bound("scan.pageBytes", scan.isSetPageBytes() ? scan.getPageBytes() : DEFAULT_BYTES, MAX_BYTES));
    }

    /** For what may still be added to a page that has some of its rows. */
    public PageRequest butFor(int some) {
        return new PageRequest(scan, rows - some, bytes);
    }

    private static RowRange range(Scan scan) throws RejectedException {
        Bytes start = scan.isSetStartRow() ? Binaries.of(scan.bufferForStartRow()) : Bytes.EMPTY;
        Optional<Bytes> end = scan.isSetEndRow() ? Optional.of(Binaries.of(scan.bufferForEndRow())) : Optional.empty();
        if (end.isPresent() && end.get().compareTo(start) < 0) {
            throw new RejectedException("scan.endRow lies before scan.startRow", "swap them, or leave one out");
        }
        return new RowRange(start, end);
    }

    private static RowSet rows(Scan scan) throws RejectedException {
        if (!scan.isSetRows()) {
            return RowSet.ALL;
        }
        if (scan.getRowsSize() > MAX_RANGES) {
            throw new RejectedException(
                    "scan.rows has " + scan.getRowsSize() + " rows and ranges: at most " + MAX_RANGES,
                    "ask in several scans");
        }
        List<RowRange> ranges = new ArrayList<>();
        for (ScanRows rows : scan.getRows()) {
            ranges.add(Ranges.of(rows));
        }
        return new RowSet(ranges);
    }

    private static ReadLimits limits(bt.thrift.gen.@Nullable ReadLimits given) throws RejectedException {
        if (given == null) {
            return ReadLimits.NONE;
        }
        return valid(() -> new ReadLimits(
                given.isSetRows() ? given.getRows() : Long.MAX_VALUE,
                given.isSetCells() ? given.getCells() : Long.MAX_VALUE,
                given.isSetBytes() ? given.getBytes() : Long.MAX_VALUE));
    }

    private static int bound(String field, int given, int max) throws RejectedException {
        if (given < 1 || given > max) {
            throw new RejectedException(field + " is " + given, "set 1 to " + max + ", or leave it out");
        }
        return given;
    }
}
