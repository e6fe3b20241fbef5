package bt.testing;

import bt.base.BigtableException;
import bt.base.Clock;
import bt.base.Failures;
import bt.base.Mailbox;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One life of a simulated process: its workers, its clock, and what happens when it crashes. */
final class SimProcess implements Scheduler, Clock {
    /** 2026-01-01. */
    private static final long EPOCH_MICROS = 1_767_225_600_000_000L;

    private final SimBaton baton;
    private final String name;
    private final long bootNanos;
    private final List<Runnable> whenCrashed = new ArrayList<>();
    private final Deque<Runnable> due = new ArrayDeque<>();
    private @Nullable SimWorker timerWorker;
    private long offsetMicros;
    private long pausedUntilNanos;
    private boolean over;

    /** The monotonic clock begins somewhere else in every process: readings of two cannot be compared. */
    SimProcess(SimBaton baton, String name, long bootNanos) {
        this.baton = baton;
        this.name = name;
        this.bootNanos = bootNanos;
    }

    String name() {
        return name;
    }

    SimBaton baton() {
        return baton;
    }

    boolean isOver() {
        return over;
    }

    /** No worker of it can be started any more. */
    void close() {
        over = true;
    }

    boolean isPaused() {
        return pausedUntilNanos > baton.nowNanos();
    }

    void pauseUntil(long nanos) {
        pausedUntilNanos = nanos;
        // Nothing to do then, but time must stop there.
        baton.at(nanos, this, () -> {});
    }

    void moveClock(long micros) {
        offsetMicros = micros;
    }

    void whenCrashed(Runnable run) {
        whenCrashed.add(run);
    }

    /** First its ports are cut off, then its workers unwind: what they still say reaches nobody. */
    void crash() {
        over = true;
        whenCrashed.forEach(Runnable::run);
        baton.unwind(this);
    }

    @Override
    public Clock clock() {
        return this;
    }

    @Override
    public long micros() {
        return EPOCH_MICROS + TimeUnit.NANOSECONDS.toMicros(baton.nowNanos()) + offsetMicros;
    }

    @Override
    public long nanos() {
        return bootNanos + baton.nowNanos();
    }

    @Override
    public Worker start(String worker, Task task) {
        checkRunning();
        return baton.start(this, worker, task);
    }

    @Override
    public WorkerPool pool(String pool, int workers, int queueBound) {
        checkRunning();
        return new SimPool(this, pool, workers, queueBound);
    }

    @Override
    public <T> T await(CompletableFuture<T> future, long timeoutMillis) throws BigtableException, InterruptedException {
        baton.interruptibleYieldPoint();
        SimWorker me = SimWorker.current();
        long deadline = baton.deadline(timeoutMillis);
        CompletableFuture<T> told = future.whenComplete((value, failure) -> baton.wake(me));
        while (!told.isDone()) {
            if (deadline <= baton.nowNanos()) {
                throw new UnavailableException("no answer within " + timeoutMillis + " ms");
            }
            baton.await("a future", deadline - baton.nowNanos());
        }
        try {
            return told.join();
        } catch (CompletionException failed) {
            throw Failures.rethrow(failed);
        }
    }

    @Override
    public void pause(long millis) throws InterruptedException {
        long deadline = baton.deadline(millis);
        do {
            baton.await("the end of a pause", deadline - baton.nowNanos());
        } while (deadline > baton.nowNanos());
    }

    @Override
    public <T> Mailbox<T> mailbox(int capacity) {
        return new SimMailbox<>(baton, capacity);
    }

    @Override
    public void after(long millis, Runnable action) {
        checkRunning();
        baton.at(baton.deadline(millis), this, () -> soon(action));
    }

    /** On whoever has the baton then: for a port, which hands over to workers and does not wait. */
    void atOnceAfterMicros(long micros, Runnable action) {
        checkRunning();
        baton.at(baton.nowNanos() + TimeUnit.MICROSECONDS.toNanos(micros), this, action);
    }

    /** Runs an action on the worker that runs what {@link #after} was given: it must not wait. */
    void soon(Runnable action) {
        if (over) {
            return;
        }
        due.addLast(action);
        SimWorker worker = timerWorker;
        if (worker == null) {
            timerWorker = baton.start(this, "timer", this::runTimers);
        } else {
            baton.wake(worker);
        }
    }

    private void runTimers() {
        while (true) {
            Runnable action = due.pollFirst();
            if (action == null) {
                baton.awaitUninterruptibly("a timer", SimBaton.FOREVER);
            } else {
                SimWorker me = SimWorker.current();
                me.mustNotWait = true;
                action.run();
                me.mustNotWait = false;
                baton.yieldPoint();
            }
        }
    }

    private void checkRunning() {
        if (over) {
            throw new ProcessCrashed(name);
        }
    }
}
