package bt.client;

import bt.base.Bytes;
import bt.base.RejectedException;
import bt.model.Cell;
import bt.model.ColumnKey;
import bt.protocol.Answer;
import bt.protocol.Caller;
import bt.protocol.Request;
import bt.protocol.RowResume;
import bt.protocol.Service;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A server of one row, of which each page is one cell. Which it is stands in what the filter has counted. */
public final class LongRow implements Service {
    public static final Bytes ROW = Bytes.utf8("r");
    static final int PAGE_BYTES = 1 << 20;

    private static final long FIRST = 1;
    private static final long SECOND = 2;

    private final long pages;
    private volatile boolean overtaken;

    public LongRow(long pages) {
        this.pages = pages;
    }

    /** From now on what the row's first page saw is gone. */
    public void overtake() {
        overtaken = true;
    }

    @Override
    public CompletableFuture<Answer> handle(Caller caller, Request request) {
        Request.Scan scan = (Request.Scan) request;
        Optional<RowResume> at = scan.resume();
        if (overtaken && at.isPresent() && at.get().sequence() == FIRST) {
            return CompletableFuture.failedFuture(new RejectedException("what it held is gone", "ask for another"));
        }
        long sequence = at.isPresent() && at.get().sequence() != FIRST ? SECOND : FIRST;
        int page = at.map(resume -> resume.counted().get(0)).orElse(0);
        Cell cell = new Cell(ROW, ColumnKey.of("f", "q" + page), 1, Bytes.wrap(new byte[PAGE_BYTES]));
        boolean isLast = page + 1 == pages;
        return CompletableFuture.completedFuture(new Answer.Page(
                List.of(cell),
                isLast ? Optional.empty() : Optional.of(ROW),
                isLast
                        ? Optional.empty()
                        : Optional.of(new RowResume(ROW, sequence, 1, List.of(page + 1), Bytes.EMPTY)),
                1,
                1));
    }
}
