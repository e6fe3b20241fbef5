package bt.rpc;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.Output;
import bt.base.UnavailableException;
import bt.protocol.Answer;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** A request that waits for its answer. After it was given to a connection, that one's event loop owns it. */
final class Call {
    private final long id;
    private final Output frame;
    private final CompletableFuture<Answer> future = new CompletableFuture<>();
    private final long deadline;
    private final long timeoutMillis;
    private final Consumer<Bytes> edge;
    private boolean written;

    /** The deadline in monotonic nanoseconds; the time that was left until then when it was made. */
    Call(long id, Output frame, long deadline, long timeoutMillis, Consumer<Bytes> edge) {
        this.id = id;
        this.frame = frame;
        this.deadline = deadline;
        this.timeoutMillis = timeoutMillis;
        this.edge = edge;
    }

    long id() {
        return id;
    }

    /** What goes over the wire. */
    Output frame() {
        return frame;
    }

    CompletableFuture<Answer> future() {
        return future;
    }

    long deadline() {
        return deadline;
    }

    long timeoutMillis() {
        return timeoutMillis;
    }

    void becomesWritten() {
        written = true;
    }

    /** Its answer comes, and will be a page with this edge. */
    void begins(Bytes pageEdge) {
        edge.accept(pageEdge);
    }

    void answered(Answer answer) {
        future.complete(answer);
    }

    void failed(BigtableException failure) {
        future.completeExceptionally(failure);
    }

    /** There is no answer and there will be none: whether the other side ever saw the request decides the outcome. */
    void lost(String why) {
        failed(new UnavailableException(why, written ? Outcome.UNKNOWN : Outcome.NOT_APPLIED));
    }
}
