package bt.rpc;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Output;
import bt.base.UnavailableException;
import bt.protocol.Answer;
import io.netty.util.Timeout;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A request that waits for its answer. After it was given to a connection, that one's event loop owns it. */
final class Call {
    private final long id;
    private final Output frame;
    private final CompletableFuture<Answer> future = new CompletableFuture<>();
    private @Nullable Timeout timeout;
    private boolean written;

    Call(long id, Output frame) {
        this.id = id;
        this.frame = frame;
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

    void expiresWith(Timeout newTimeout) {
        timeout = newTimeout;
    }

    void becomesWritten() {
        written = true;
    }

    void answered(Answer answer) {
        end();
        future.complete(answer);
    }

    void failed(BigtableException failure) {
        end();
        future.completeExceptionally(failure);
    }

    /** There is no answer and there will be none: whether the other side ever saw the request decides the outcome. */
    void lost(String why) {
        failed(new UnavailableException(why, written ? Outcome.UNKNOWN : Outcome.NOT_APPLIED));
    }

    private void end() {
        if (timeout != null) {
            timeout.cancel();
        }
    }
}
