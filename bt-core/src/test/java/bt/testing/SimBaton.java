package bt.testing;

import static bt.base.Check.checkState;

import bt.base.Scheduler.Task;
import bt.testing.SimWorker.State;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One baton, virtual time, and the choice of who is next. Whoever holds the baton owns everything in here; before and
 * after the run, the thread that runs it does. A worker that a crash unwinds runs while the one that crashed it stands
 * still.
 */
final class SimBaton {
    static final long FOREVER = Long.MAX_VALUE;
    /** How long, by the machine's clock, a worker may keep the baton: then it blocks in a way that we cannot see. */
    static final long WATCHDOG_MILLIS = 30_000;
    /** What a step costs, so that a loop that only yields does not stop the clock. */
    private static final long STEP_NANOS = 1_000;

    private final long maxSteps;
    private final RandomGenerator random;
    private final SimTrace trace;
    private final List<SimWorker> workers = new ArrayList<>();
    private final List<SimWorker> runnable = new ArrayList<>();
    private final TreeSet<SimTimer> timers = new TreeSet<>();
    private final CountDownLatch over = new CountDownLatch(1);

    private long nowNanos;
    private long endNanos = FOREVER;
    private long timersMade;
    private BooleanSupplier done = () -> false;
    private volatile long steps;
    private volatile @Nullable SimWorker holder;
    private volatile @Nullable AssertionError failure;

    SimBaton(long seed, long maxSteps) {
        this.maxSteps = maxSteps;
        this.random = new SplittableRandom(seed);
        this.trace = new SimTrace(seed);
    }

    long nowNanos() {
        return nowNanos;
    }

    SimTrace trace() {
        return trace;
    }

    void note(String event) {
        trace.add(new SimEvent(nowNanos, event, false));
    }

    /** One of many of its kind. */
    void noteSmall(String event) {
        trace.add(new SimEvent(nowNanos, event, true));
    }

    SimWorker start(SimProcess process, String name, Task task) {
        SimWorker worker = new SimWorker(this, process, name, task);
        workers.add(worker);
        runnable.add(worker);
        return worker;
    }

    SimTimer at(long atNanos, SimProcess process, Runnable fire) {
        SimTimer timer = new SimTimer(Math.max(atNanos, nowNanos), timersMade++, process, fire);
        timers.add(timer);
        return timer;
    }

    /** Now and so much, or never. */
    long deadline(long millis) {
        long nanos = TimeUnit.MILLISECONDS.toNanos(millis);
        return nanos < FOREVER - nowNanos ? nowNanos + nanos : FOREVER;
    }

    /** Gives the baton away until woken, or until the time is over: false. */
    boolean await(String what, long timeoutNanos) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        boolean woken = block(what, timeoutNanos, true);
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        return woken;
    }

    /** As {@link #await}, but an interruption waits too. */
    boolean awaitUninterruptibly(String what, long timeoutNanos) {
        return block(what, timeoutNanos, false);
    }

    private boolean block(String what, long timeoutNanos, boolean interruptible) {
        SimWorker me = SimWorker.current();
        checkState(
                !me.mustNotWait, "%s waits for %s inside an action of Scheduler.after, which must not wait", me, what);
        me.state = State.WAITING;
        me.waitsFor = what;
        me.interruptible = interruptible;
        me.wokenByTime = false;
        if (timeoutNanos < FOREVER - nowNanos) {
            me.timer = at(nowNanos + Math.max(0, timeoutNanos), me.process, () -> {
                me.wokenByTime = true;
                wake(me);
            });
        }
        pass(me);
        return !me.wokenByTime;
    }

    /** Lets others go first, or not. */
    void yieldPoint() {
        SimWorker me = SimWorker.current();
        me.waitsFor = "its turn";
        runnable.add(me);
        pass(me);
    }

    void interruptibleYieldPoint() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        yieldPoint();
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    void wake(SimWorker worker) {
        if (!SimWorker.isThisThreadOne() && holder != null) {
            fail(
                    Thread.currentThread() + " wakes " + worker
                            + ": only workers may take part in a simulation, or its order is chance",
                    null);
        }
        if (worker.state == State.WAITING) {
            cancelTimer(worker);
            worker.state = State.RUNNABLE;
            worker.waitsFor = "its turn";
            runnable.add(worker);
        }
    }

    private void cancelTimer(SimWorker worker) {
        SimTimer timer = worker.timer;
        if (timer != null) {
            timers.remove(timer);
            worker.timer = null;
        }
    }

    boolean join(SimWorker worker, long timeoutMillis) throws InterruptedException {
        long deadline = deadline(timeoutMillis);
        while (worker.state != State.ENDED) {
            worker.joiners.add(SimWorker.current());
            if (!await("the end of " + worker, deadline - nowNanos)) {
                break;
            }
        }
        return worker.state == State.ENDED;
    }

    /** The worker's last step: on its own thread. */
    void ended(SimWorker worker) {
        worker.state = State.ENDED;
        cancelTimer(worker);
        workers.remove(worker);
        worker.joiners.forEach(this::wake);
        // A worker that others unwind has no baton to give.
        if (worker == holder) {
            pass(worker);
        }
    }

    private void pass(SimWorker me) {
        SimWorker next = choose();
        if (next == null) {
            holder = null;
            over.countDown();
        } else if (next != me) {
            holder = next;
            next.giveTurn();
        }
        if (next != me && me.state != State.ENDED) {
            me.takeTurn();
        }
    }

    /** Null when the run is over. */
    private @Nullable SimWorker choose() {
        long taken = steps + 1;
        // Volatile only for the watchdog, which looks from outside.
        steps = taken;
        nowNanos += STEP_NANOS;
        while (failure == null && !done.getAsBoolean()) {
            if (nowNanos > endNanos) {
                fail("not done in the time that the run was given", null);
            } else if (taken > maxSteps) {
                fail("not done after " + maxSteps + " steps", null);
            } else {
                fireDueTimers();
                List<SimWorker> able = able();
                if (!able.isEmpty()) {
                    SimWorker next = able.get(random.nextInt(able.size()));
                    runnable.remove(next);
                    trace.step(nowNanos, next.toString());
                    return next;
                }
                if (timers.isEmpty()) {
                    fail("deadlock: nobody can run and no timer is set", null);
                } else {
                    nowNanos = timers.first().atNanos();
                }
            }
        }
        return null;
    }

    private List<SimWorker> able() {
        for (SimWorker worker : runnable) {
            if (!worker.mayRun()) {
                return runnable.stream().filter(SimWorker::mayRun).toList();
            }
        }
        return runnable;
    }

    private void fireDueTimers() {
        while (!timers.isEmpty() && timers.first().atNanos() <= nowNanos) {
            SimTimer due = timers.first();
            timers.remove(due);
            due.fire().run();
        }
    }

    /** True when there is a worker of that name in the process, which from now on never gets the baton. */
    boolean hang(SimProcess process, String name) {
        boolean any = false;
        for (SimWorker worker : workers) {
            if (worker.process == process && worker.toString().equals(process.name() + "/" + name)) {
                worker.hangs = true;
                any = true;
            }
        }
        return any;
    }

    /** Ends a process: on return no thread of it is left but the caller's, if it is one. */
    void unwind(SimProcess process) {
        timers.removeIf(timer -> timer.process() == process);
        for (SimWorker worker : List.copyOf(workers)) {
            if (worker.process == process && !worker.isCurrent()) {
                runnable.remove(worker);
                worker.unwind();
            }
        }
    }

    /** The first failure counts. */
    void fail(String what, @Nullable Throwable cause) {
        if (failure == null) {
            failure = new AssertionError(trace.report(nowNanos, what, workers), cause);
        }
    }

    /** Runs until it is done, then unwinds every worker. */
    void run(long atMostNanos, BooleanSupplier isDone) {
        endNanos = nowNanos + atMostNanos;
        done = isDone;
        SimWorker first = choose();
        if (first != null) {
            holder = first;
            first.giveTurn();
            watch();
        }
        for (SimWorker worker : List.copyOf(workers)) {
            worker.process.close();
            worker.unwind();
        }
        AssertionError failed = failure;
        if (failed != null) {
            throw failed;
        }
    }

    private void watch() {
        try {
            long seen = -1;
            while (!over.await(WATCHDOG_MILLIS, TimeUnit.MILLISECONDS)) {
                SimWorker hung = holder;
                if (steps == seen && hung != null) {
                    fail(hung + " keeps the baton: it blocks, or never waits\n" + hung.stack(), null);
                    hung.interrupt();
                    return;
                }
                seen = steps;
            }
        } catch (InterruptedException stop) {
            fail("interrupted from outside", stop);
            Thread.currentThread().interrupt();
        }
    }
}
