package bt.client;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.OverloadedException;
import bt.base.Scheduler.WorkerPool;
import bt.base.UnavailableException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The calls of an application that does not wait for them: a bounded number under way, of bounded bytes, and a few threads
 * for what has to wait all the same, a look-up, a pause before another attempt, and for what the application does with an
 * answer. Any thread.
 */
final class AsyncCalls {
    static final int CALLS_AT_ONCE = 1_000;

    /** Of requests and answers, those too that are still to come; a call of any size goes when it is alone. */
    static final long BYTES_AT_ONCE = 64 << 20;

    private static final int WORKERS = 8;

    /** To whom there is no room: about what a request takes. */
    private static final long RETRY_AFTER_MILLIS = 10;

    private final WorkerPool workers;
    private final AtomicInteger underWay = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicLong numbers = new AtomicLong();
    private final Map<Long, AsyncCall<?>> open = new ConcurrentHashMap<>();
    private volatile boolean closed;

    AsyncCalls(Session session) {
        // Each call waits for a worker once at a time, so there is room for all.
        workers = session.scheduler().pool("bt-async", WORKERS, CALLS_AT_ONCE);
        session.closing().add(this::close);
    }

    /** What a worker does for a call. */
    @FunctionalInterface
    interface Work<T> {
        T run() throws BigtableException;
    }

    /** A call on its way, with so many bytes of request and answer; both are counted until it is complete. */
    <T> AsyncCall<T> begin(long callBytes) {
        AsyncCall<T> call = new AsyncCall<>(callBytes);
        long before = bytes.getAndAdd(callBytes);
        int calls = underWay.incrementAndGet();
        if (calls > CALLS_AT_ONCE || (calls > 1 && before + callBytes > BYTES_AT_ONCE)) {
            underWay.decrementAndGet();
            bytes.addAndGet(-callBytes);
            CompletableFuture<T> unusedRefusal = call.whenComplete(call::tell);
            call.completeExceptionally(new OverloadedException(
                    (calls - 1) + " calls with " + before + " bytes are under way, of " + CALLS_AT_ONCE + " and "
                            + BYTES_AT_ONCE + ": wait until some have ended",
                    RETRY_AFTER_MILLIS));
            return call;
        }
        long number = numbers.incrementAndGet();
        open.put(number, call);
        CompletableFuture<T> unused = call.whenComplete((value, failure) -> {
            open.remove(number);
            bytes.addAndGet(-call.end());
            underWay.decrementAndGet();
            call.tell(value, failure);
        });
        return call;
    }

    /** The call takes so many bytes more than it was begun with, or fewer. */
    void hold(AsyncCall<?> call, long moreBytes) {
        bytes.addAndGet(moreBytes);
        if (!call.hold(moreBytes)) {
            bytes.addAndGet(-moreBytes);
        }
    }

    /** A call that a worker makes from its beginning to its end. */
    <T> CompletableFuture<T> run(Work<T> work) {
        AsyncCall<T> call = begin(0);
        if (!call.isDone()) {
            finish(call, work);
        }
        return call.told();
    }

    /** Has a worker end the call. */
    <T> void finish(AsyncCall<T> call, Work<T> work) {
        try {
            workers.execute(() -> {
                try {
                    call.complete(work.run());
                } catch (BigtableException | RuntimeException | Error failed) {
                    call.completeExceptionally(failed);
                }
            });
        } catch (RejectedExecutionException ended) {
            call.completeExceptionally(isClosed(ended));
        }
        if (closed) {
            // Perhaps a moment too late for close to see it.
            call.completeExceptionally(isClosed(new RejectedExecutionException("closed meanwhile")));
        }
    }

    /** What is under way fails; of a write nobody knows then whether it was applied. */
    void close() {
        closed = true;
        workers.close();
        RejectedExecutionException reason = new RejectedExecutionException("closed");
        open.values().forEach(call -> call.completeExceptionally(isClosed(reason)));
    }

    private static BigtableException isClosed(RejectedExecutionException reason) {
        return new UnavailableException("the client was closed while the call was under way", Outcome.UNKNOWN)
                .causedBy(reason);
    }
}
