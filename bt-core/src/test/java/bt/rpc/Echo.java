package bt.rpc;

import bt.base.Bytes;
import bt.base.Clock;
import bt.model.Cell;
import bt.model.ColumnKey;
import bt.model.Filter;
import bt.model.RowRange;
import bt.protocol.Answer;
import bt.protocol.Caller;
import bt.protocol.PageBounds;
import bt.protocol.Request;
import bt.protocol.Service;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Answers a scan with one cell that holds the scan's start row. */
final class Echo implements Service {
    static final Clock CLOCK = Clock.system();

    private static final ColumnKey COLUMN = ColumnKey.of("echo", "");

    @Override
    public CompletableFuture<Answer> handle(Caller caller, Request request) {
        return CompletableFuture.completedFuture(answer(payload(request)));
    }

    static Bytes payload(Request request) {
        return ((Request.Scan) request).walk().rows().ranges().get(0).start();
    }

    static Request request(Bytes payload) {
        return new Request.Scan(1, RowRange.from(payload), Filter.ALL, PageBounds.DEFAULT, Optional.empty());
    }

    static Answer answer(Bytes payload) {
        Cell cell = new Cell(Bytes.utf8("row"), COLUMN, 1, payload);
        return new Answer.Page(List.of(cell), Optional.empty(), Optional.empty(), 1, 1);
    }
}
