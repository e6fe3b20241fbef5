package bt.thrift.gateway;

import bt.base.BigtableException;
import bt.client.ReadAmount;
import bt.client.ReadLimits;
import bt.client.Scan;
import bt.client.Scanner;
import bt.client.Table;
import bt.model.Row;
import bt.model.RowWalk;
import bt.thrift.convert.PageRequest;
import bt.thrift.convert.ResumeToken;
import bt.thrift.convert.Rows;
import bt.thrift.gen.Page;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads one page of a scan, of whole rows. */
final class PageReader {
    private final AnswerRoom room;

    PageReader(AnswerRoom room) {
        this.room = room;
    }

    /** The page that begins at the token, or the first. */
    Page read(Table table, PageRequest request, Optional<ResumeToken> token) throws BigtableException {
        Scan scan = token.isPresent() ? token.get().rest(request.scan()) : request.scan();
        ReadAmount before = token.map(ResumeToken::taken).orElse(ReadAmount.NONE);
        ReadLimits ofPage = least(scan.limits(), request);
        List<bt.thrift.gen.Row> rows = new ArrayList<>();
        ReadAmount taken = ReadAmount.NONE;
        long bytes = 0;
        Row last;
        // With the limits of the page nothing is asked for ahead, which nobody would eat.
        try (Scanner scanner = table.scan(scan.limited(ofPage))) {
            do {
                Optional<Row> row = scanner.next();
                if (row.isEmpty()) {
                    return new Page(rows);
                }
                last = row.get();
                bytes += Rows.bytes(last);
                if (bytes > room.bytes() && !rows.isEmpty()) {
                    return page(rows, scan.walk().at(last.key()), charged(scan, before, taken));
                }
                rows.add(room.checked(last));
                taken = taken.plus(last);
            } while (!ofPage.areReachedBy(taken) && bytes < request.bytes());
        }
        RowWalk rest = scan.walk().after(last.key());
        return rest.isEmpty() || scan.limits().areReachedBy(taken)
                ? new Page(rows)
                : page(rows, rest, charged(scan, before, taken));
    }

    private static ReadLimits least(ReadLimits left, PageRequest page) {
        return left.rows(Math.min(left.rows(), page.rows())).bytes(Math.min(left.bytes(), page.bytes()));
    }

    /** Nothing is counted where nothing is limited. */
    private static ReadAmount charged(Scan scan, ReadAmount before, ReadAmount taken) {
        return scan.limits().equals(ReadLimits.NONE) ? ReadAmount.NONE : before.plus(taken);
    }

    private static Page page(List<bt.thrift.gen.Row> rows, RowWalk rest, ReadAmount taken) {
        return new Page(rows).setResumeToken(new ResumeToken(rest.edge(), taken).encode());
    }
}
