package bt.client;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Ending;
import bt.base.OverloadedException;
import bt.base.Scheduler;
import bt.base.Scheduler.WorkerPool;
import bt.base.UnavailableException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The calls of an application that does not wait for them: a bounded number under way, of bounded bytes. A few threads tell
 * what was answered, and others wait where something has to be waited for, a look-up or a pause before another attempt: so
 * a tablet that is not served holds up no answer of others that has come, and a server that does not answer no call to
 * another ({@link Waiters}). Any thread.
 */
final class AsyncCalls {
    /** What a read counts as until its first answer has come. */
    static final int ANSWER_BYTES = 64 << 10;

    private static final int TELLERS = 4;

    private final Scheduler scheduler;
    private final Ending ending;
    private final WorkerPool tellers;
    private final Waiters waiters;
    private final AsyncRoom room;
    private final AtomicLong numbers = new AtomicLong();
    private final Map<Long, AsyncCall<?>> open = new ConcurrentHashMap<>();
    private volatile boolean closed;

    AsyncCalls(Session session) {
        int mostCalls = session.options().asyncCalls();
        scheduler = session.scheduler();
        ending = session.ending();
        // Each call waits for a thread once at a time, so there is room for all.
        tellers = scheduler.pool("bt-async", TELLERS, mostCalls);
        waiters = new Waiters(scheduler, mostCalls);
        room = new AsyncRoom(scheduler, session.options());
        session.closing().add(this::close);
    }

    /** What is done for a call from its beginning, or from some place on, to its end. It may wait. */
    @FunctionalInterface
    interface Work<T> {
        T run() throws BigtableException;
    }

    /** The same of a call that reads pages, for which there must be room. */
    @FunctionalInterface
    interface Reading<T> {
        T run(PageRoom room) throws BigtableException;
    }

    /** What is done with an answer, at once: the call is ended by it, or {@link #finish} is called. */
    @FunctionalInterface
    interface Telling {
        void run() throws BigtableException;
    }

    /** A call on its way, with so many bytes of request and answer; both are counted until it is complete. */
    <T> AsyncCall<T> begin(long callBytes) {
        AsyncCall<T> call = new AsyncCall<>(numbers.incrementAndGet(), callBytes);
        if (closed) {
            return refused(call, ending.refusal("an asynchronous call"));
        }
        Optional<OverloadedException> full = room.enter(callBytes);
        if (full.isPresent()) {
            return refused(call, full.get());
        }
        open.put(call.number(), call);
        CompletableFuture<T> unused = call.whenComplete((value, failure) -> {
            open.remove(call.number());
            room.leave(call.number(), call.end());
            call.tell(value, failure);
        });
        return call;
    }

    /** Begins what a call does, which waits for nothing; whatever it fails with, the call does, and gives its place back. */
    void start(AsyncCall<?> call, Telling work) {
        try {
            work.run();
        } catch (BigtableException failed) {
            call.completeExceptionally(failed.advised());
        } catch (RuntimeException | Error failed) {
            call.completeExceptionally(failed);
        }
    }

    private static <T> AsyncCall<T> refused(AsyncCall<T> call, BigtableException refusal) {
        CompletableFuture<T> unused = call.whenComplete(call::tell);
        call.completeExceptionally(refusal);
        return call;
    }

    /** The call takes so many bytes more than it was begun with, or fewer. */
    void hold(AsyncCall<?> call, long moreBytes) {
        room.add(moreBytes);
        keep(call, moreBytes);
    }

    /** The same as soon as there is room for them. */
    void awaitMore(AsyncCall<?> call, long moreBytes) throws BigtableException, InterruptedException {
        room.awaitMore(call.number(), moreBytes);
        keep(call, moreBytes);
    }

    private void keep(AsyncCall<?> call, long moreBytes) {
        if (!call.hold(moreBytes)) {
            room.add(-moreBytes);
        }
    }

    /** A call that is made by a thread that may wait. */
    <T> CompletableFuture<T> run(Work<T> work) {
        return run(0, work);
    }

    /** The same of a call that takes so many bytes. */
    <T> CompletableFuture<T> run(long callBytes, Work<T> work) {
        AsyncCall<T> call = begin(callBytes);
        if (!call.isDone()) {
            finish(call, work);
        }
        return call.told();
    }

    /** A call that reads pages, by a thread that may wait: it takes so many bytes, and what it reads. */
    <T> CompletableFuture<T> read(long callBytes, Reading<T> reading) {
        AsyncCall<T> call = begin(callBytes + ANSWER_BYTES);
        if (!call.isDone()) {
            finish(call, () -> reading.run(pages(call)));
        }
        return call.told();
    }

    /** Of a call that was begun with {@link #ANSWER_BYTES} for the first of them. */
    PageRoom pages(AsyncCall<?> call) {
        return new CallPages(this, call, ANSWER_BYTES);
    }

    /** Of a call that takes nothing for any of them. */
    PageRoom laterPages(AsyncCall<?> call) {
        return new CallPages(this, call, 0);
    }

    /** Has the call ended by a thread that may wait. */
    <T> void finish(AsyncCall<T> call, Work<T> work) {
        submit(waiters::execute, call, () -> call.complete(work.run()));
    }

    /** The same after the pause that a server asked for. */
    <T> void finishAfter(long pauseMillis, AsyncCall<T> call, Work<T> work) {
        finish(call, () -> {
            try {
                scheduler.pause(pauseMillis);
            } catch (InterruptedException ended) {
                throw isClosed(new RejectedExecutionException("closed in a pause"));
            }
            return work.run();
        });
    }

    /** Has the answer of a call dealt with, and what hangs on the call, by a thread that does not wait. */
    void tell(AsyncCall<?> call, Telling telling) {
        submit(tellers, call, telling);
    }

    private void submit(Executor pool, AsyncCall<?> call, Telling work) {
        try {
            pool.execute(() -> start(call, work));
        } catch (RejectedExecutionException ended) {
            call.completeExceptionally(isClosed(ended));
        } catch (RuntimeException | Error noThread) {
            call.completeExceptionally(noThread);
        }
        if (closed) {
            // Perhaps a moment too late for close to see it.
            call.completeExceptionally(isClosed(new RejectedExecutionException("closed meanwhile")));
        }
    }

    /** What is under way fails; of a write nobody knows then whether it was applied. */
    void close() {
        closed = true;
        tellers.close();
        waiters.close();
        RejectedExecutionException reason = new RejectedExecutionException("closed");
        open.values().forEach(call -> call.completeExceptionally(isClosed(reason)));
    }

    private static BigtableException isClosed(RejectedExecutionException reason) {
        return new UnavailableException("the client was closed while the call was under way", Outcome.UNKNOWN)
                .causedBy(reason);
    }
}
