package bt.thrift.gateway;

import bt.base.BigtableException;
import bt.base.RejectedException;
import bt.client.Scan;
import bt.client.Scanner;
import bt.client.Table;
import bt.model.Row;
import bt.thrift.convert.PageRequest;
import bt.thrift.convert.ResumeToken;
import bt.thrift.convert.Rows;
import bt.thrift.gen.Page;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads one page of a scan, and sees to it that an answer fits a frame. */
final class PageReader {
    /** For what an answer holds beside its rows: most of it is a token, which is a row key and a byte. */
    private static final long BESIDE_ROWS = 128 << 10;

    private final long answerBytes;

    PageReader(GatewayLimits limits) {
        answerBytes = limits.frameBytes() - BESIDE_ROWS;
    }

    Page read(Table table, PageRequest request) throws BigtableException {
        Scan scan = Scan.of(request.range()).filtered(request.filter()).pages(request.rows(), request.bytes());
        List<bt.thrift.gen.Row> rows = new ArrayList<>();
        long bytes = 0;
        Row last;
        try (Scanner scanner = table.scan(scan)) {
            do {
                Optional<Row> row = scanner.next();
                if (row.isEmpty()) {
                    return new Page(rows);
                }
                last = row.get();
                bytes += Rows.bytes(last);
                if (bytes > answerBytes && !rows.isEmpty()) {
                    return page(rows, new ResumeToken(last.key()));
                }
                rows.add(checked(last));
            } while (rows.size() < request.rows() && bytes < request.bytes());
        }
        return page(rows, new ResumeToken(last.key().successor()));
    }

    /** The row as it is sent; REJECTED when no frame would hold it. */
    bt.thrift.gen.Row checked(Row row) throws RejectedException {
        long bytes = Rows.bytes(row);
        if (bytes > answerBytes) {
            throw new RejectedException("row " + row.key() + " takes " + bytes + " bytes of an answer, " + answerBytes
                    + " fit: ask for fewer families, columns or versions of it");
        }
        return Rows.of(row);
    }

    private static Page page(List<bt.thrift.gen.Row> rows, ResumeToken next) {
        return new Page(rows).setResumeToken(next.encode());
    }
}
