package bt.thrift.convert;

import static bt.thrift.convert.Given.present;

import bt.base.Bytes;
import bt.base.RejectedException;
import bt.model.Filter;
import bt.model.RowRange;
import bt.thrift.gen.Scan;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What one page of a scan is to be: what is left of the scan, and where the page ends at the latest. */
public record PageRequest(RowRange range, Filter filter, int rows, int bytes) {
    static final int DEFAULT_ROWS = 1_000;
    static final int MAX_ROWS = 10_000;
    static final int DEFAULT_BYTES = 1 << 20;
    static final int MAX_BYTES = 4 << 20;

    public static PageRequest of(@Nullable Scan given, @Nullable ByteBuffer token) throws RejectedException {
        Scan scan = present(given, "scan");
        RowRange range = range(scan);
        Bytes resume = token == null ? Bytes.EMPTY : Binaries.of(token);
        return new PageRequest(
                resume.isEmpty() ? range : ResumeToken.decode(resume).rest(range),
                Filters.of(scan.getFilter()),
                bound("scan.pageRows", scan.isSetPageRows() ? scan.getPageRows() : DEFAULT_ROWS, MAX_ROWS),
                bound("scan.pageBytes", scan.isSetPageBytes() ? scan.getPageBytes() : DEFAULT_BYTES, MAX_BYTES));
    }

    private static RowRange range(Scan scan) throws RejectedException {
        Bytes start = scan.isSetStartRow() ? Binaries.of(scan.bufferForStartRow()) : Bytes.EMPTY;
        Optional<Bytes> end = scan.isSetEndRow() ? Optional.of(Binaries.of(scan.bufferForEndRow())) : Optional.empty();
        if (end.isPresent() && end.get().compareTo(start) < 0) {
            throw new RejectedException("scan.endRow lies before scan.startRow: swap them, or leave one out");
        }
        return new RowRange(start, end);
    }

    private static int bound(String field, int given, int max) throws RejectedException {
        if (given < 1 || given > max) {
            throw new RejectedException(field + " is " + given + ": set 1 to " + max + ", or leave it out");
        }
        return given;
    }
}
