package bt.tabletserver;

import bt.base.Clock;
import bt.model.Cell;
import bt.model.TableSchema;
import bt.protocol.Answer;
import bt.protocol.Request;
import bt.protocol.Write;
import java.util.concurrent.CompletableFuture;

/**
 * Sees how long requests for users' tables take, from when the server has them to when their answers leave, and how large
 * they are. What was refused counts too: somebody waited for it. Any thread.
 */
final class RequestMeters {
    private final Clock clock;
    private final RequestMeter reads = new RequestMeter();
    private final RequestMeter writes = new RequestMeter();

    RequestMeters(Clock clock) {
        this.clock = clock;
    }

    RequestMeter reads() {
        return reads;
    }

    RequestMeter writes() {
        return writes;
    }

    /** The same answer, to a request that began at a monotonic time. */
    CompletableFuture<Answer> write(Request.Mutate request, long begunNanos, CompletableFuture<Answer> answer) {
        if (request.tableId() == TableSchema.METADATA_ID) {
            return answer;
        }
        // Not the request: what most of its writes hold is free before the last of them is answered.
        int count = request.writes().size();
        long bytes = bytes(request);
        CompletableFuture<?> unused =
                answer.whenComplete((done, failure) -> writes.answered(count, bytes, clock.nanos() - begunNanos));
        return answer;
    }

    /** The same answer, to a request that began at a monotonic time. */
    CompletableFuture<Answer> read(Request.Scan request, long begunNanos, CompletableFuture<Answer> answer) {
        if (request.tableId() == TableSchema.METADATA_ID) {
            return answer;
        }
        CompletableFuture<?> unused = answer.whenComplete((page, failure) ->
                reads.answered(1, page instanceof Answer.Page cells ? bytes(cells) : 0, clock.nanos() - begunNanos));
        return answer;
    }

    private static long bytes(Request.Mutate request) {
        long bytes = 0;
        for (Write write : request.writes()) {
            bytes += write.mutation().bytes();
        }
        return bytes;
    }

    private static long bytes(Answer.Page page) {
        long bytes = 0;
        for (Cell cell : page.cells()) {
            bytes += cell.bytes();
        }
        return bytes;
    }
}
