package bt.examples.bench;

import bt.model.TableSchema;
import bt.protocol.Address;
import bt.protocol.Answer;
import bt.protocol.Network;
import bt.protocol.Request;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;

/** A network that counts the rows of METADATA that are read through it. Any thread. */
final class CountedReads implements Network {
    private final Network inner;
    private final LongAdder rows = new LongAdder();

    CountedReads(Network inner) {
        this.inner = inner;
    }

    long rows() {
        return rows.sum();
    }

    @Override
    public CompletableFuture<Answer> send(Address to, Request request, long timeoutMillis) {
        CompletableFuture<Answer> answer = inner.send(to, request, timeoutMillis);
        boolean counts = request instanceof Request.Scan scan && scan.tableId() == TableSchema.METADATA_ID;
        return counts ? answer.whenComplete((page, failure) -> count(page)) : answer;
    }

    private void count(Answer answer) {
        if (answer instanceof Answer.Page page) {
            rows.add(page.rowsSeen());
        }
    }

    @Override
    public String user() {
        return inner.user();
    }
}
