package bt.client;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Deadline;
import bt.base.OverloadedException;
import bt.base.Scheduler;
import bt.base.Scheduler.WorkerPool;
import bt.base.UnavailableException;
import bt.protocol.Answer;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * The calls of an application that does not wait for them: a bounded number under way, of bounded bytes. A few threads tell
 * what was answered, and others wait where something has to be waited for, a look-up or a pause before another attempt: so
 * a tablet that is not served holds up no answer of others that has come, and a server that does not answer no call to
 * another ({@link Waiters}). Any thread.
 */
final class AsyncCalls implements Closing.Threads {
    /** What a read counts as until its first answer has come. */
    static final int ANSWER_BYTES = 64 << 10;

    private static final int TELLERS = 4;

    /** For so long a client that is closed waits for calls at which a thread still is. */
    private static final long FAREWELL_MILLIS = 1_000;

    private final Session session;
    private final Scheduler scheduler;
    private final WorkerPool tellers;
    private final Waiters waiters;
    private final AsyncRoom room;
    private final AtomicLong numbers = new AtomicLong();
    private final Map<Long, AsyncCall<?>> open = new ConcurrentHashMap<>();
    private volatile boolean closed;

    AsyncCalls(Session session) {
        this.session = session;
        int mostCalls = session.options().asyncCalls();
        scheduler = session.scheduler();
        // Each call waits for a thread once at a time, so there is room for all.
        tellers = scheduler.pool("bt-async", TELLERS, mostCalls);
        waiters = new Waiters(scheduler, mostCalls);
        room = new AsyncRoom(scheduler, session.options());
        session.closing().add(this);
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
    <T> AsyncCall<T> begin(Supplier<String> subject, long callBytes) {
        AsyncCall<T> call = new AsyncCall<>(subject, numbers.incrementAndGet(), callBytes);
        if (closed) {
            return refused(call, ofClosed(call, Outcome.NOT_APPLIED));
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
        } catch (UnavailableException failed) {
            call.completeExceptionally(closed ? ofClosed(call, failed.outcome()).causedBy(failed) : failed);
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

    /** Has a page asked for that nobody wants yet, where there is room for it until somebody does, or needs the room more. */
    Optional<AheadPage> ahead(long pageBytes, Supplier<CompletableFuture<Answer>> request) {
        AheadPage page = new AheadPage();
        if (!room.enterAhead(page, pageBytes)) {
            return Optional.empty();
        }
        CompletableFuture<Answer> answer;
        try {
            answer = request.get();
        } catch (RuntimeException | Error unsent) {
            room.leaveAhead(page);
            throw unsent;
        }
        page.asked(answer);
        CompletableFuture<?> unused = answer.whenComplete((came, failure) -> {
            if (came instanceof Answer.Page full) {
                room.comeAhead(page, full.bytes());
            } else {
                room.leaveAhead(page);
            }
        });
        return Optional.of(page);
    }

    /** A page that was asked for ahead is the call's from now on; how many bytes it is counted with. */
    long takeOver(AsyncCall<?> call, AheadPage page) {
        long counted = room.takeOver(page);
        keep(call, counted);
        return counted;
    }

    /** A call that is made by a thread that may wait. */
    <T> CompletableFuture<T> run(Supplier<String> subject, Work<T> work) {
        return run(subject, 0, work);
    }

    /** The same of a call that takes so many bytes. */
    <T> CompletableFuture<T> run(Supplier<String> subject, long callBytes, Work<T> work) {
        AsyncCall<T> call = begin(subject, callBytes);
        if (!call.isDone()) {
            finish(call, work);
        }
        return call.told();
    }

    /** A call that reads pages, by a thread that may wait: it takes so many bytes, and what it reads. */
    <T> CompletableFuture<T> read(Supplier<String> subject, long callBytes, Reading<T> reading) {
        AsyncCall<T> call = begin(subject, callBytes + ANSWER_BYTES);
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
        submit(waiters::execute, call, () -> {
            if (call.is(AsyncCall.Stage.AT_WORK)) {
                call.complete(work.run());
            }
        });
    }

    /** The same after the pause that a server asked for. */
    <T> void finishAfter(long pauseMillis, AsyncCall<T> call, Work<T> work) {
        finish(call, () -> {
            try {
                scheduler.pause(pauseMillis);
            } catch (InterruptedException ended) {
                // Whatever is begun now ends at once, and says what became of it.
                Thread.currentThread().interrupt();
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
            stop(call);
        } catch (RuntimeException | Error noThread) {
            call.completeExceptionally(noThread);
        }
        if (closed) {
            // Perhaps a moment too late for close to see it.
            stop(call);
        }
    }

    /** What is under way fails; what no server can have was not applied. */
    @Override
    public void stop() {
        closed = true;
        tellers.close();
        waiters.stop();
        open.values().forEach(this::stop);
    }

    @Override
    public void awaitEnd(Deadline farewell) throws InterruptedException {
        Deadline ofCalls = Deadline.after(scheduler.clock(), Math.min(FAREWELL_MILLIS, farewell.leftMillis()));
        open.values().forEach(call -> awaitEnd(call, ofCalls));
        boolean unused = tellers.join(farewell.leftMillis());
        waiters.awaitEnd(farewell);
    }

    /** Nobody has called it. */
    void close() {
        session.closing().end(this);
    }

    private void stop(AsyncCall<?> call) {
        switch (call.stop()) {
            case UNSENT -> call.completeExceptionally(ofClosed(call, Outcome.NOT_APPLIED));
            case SENT -> call.completeExceptionally(ofClosed(call, Outcome.UNKNOWN));
            case AT_WORK, STOPPED -> {
                // Its thread has been interrupted and tells what became of it, or who has stopped it before does.
            }
        }
    }

    /** One at which a thread is still; an application's own code, in a transaction, may not care that it is interrupted. */
    private void awaitEnd(AsyncCall<?> call, Deadline farewell) {
        try {
            boolean unused = scheduler.await(call.told().handle((value, failure) -> true), farewell.leftMillis());
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
            call.completeExceptionally(ofClosed(call, Outcome.UNKNOWN));
        } catch (BigtableException late) {
            call.completeExceptionally(ofClosed(call, Outcome.UNKNOWN));
        }
    }

    private BigtableException ofClosed(AsyncCall<?> call, Outcome outcome) {
        return session.closed(call.subject(), outcome);
    }
}
