package bt.testing;

import static bt.base.Check.checkArgument;
import static bt.base.Check.checkState;

import bt.base.BigtableException;
import bt.base.Clock;
import bt.base.Mailbox;
import bt.base.Scheduler;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A whole cluster in one JVM, repeatable from one number. Workers are real threads of which exactly one runs; at every
 * wait it passes the baton to a worker that the seed chooses, and when none can run, time jumps to the next timer. The
 * same seed gives the same order, as long as the simulated code asks only this scheduler for time, chance and waiting and
 * iterates over no hash of identities.
 *
 * <p>{@link #process} is the scheduler of one process, which can crash, stand still, or have a wrong clock. This object
 * itself is the scheduler of the process that watches, called {@code test}. It is good for one {@link #run}.
 */
public final class SimScheduler implements Scheduler {
    private static final long MAX_STEPS = 20_000_000;
    private static final String WATCHER = "test";

    private final long seed;
    private final SimBaton baton;
    private final RandomGenerator boots;
    private final Map<String, SimProcess> processes = new HashMap<>();
    private final SimProcess watcher;
    private final Map<Enum<?>, Long> counts = new LinkedHashMap<>();
    private boolean ran;

    public SimScheduler(long seed) {
        this(seed, MAX_STEPS);
    }

    public SimScheduler(long seed, long maxSteps) {
        this.seed = seed;
        this.baton = new SimBaton(seed, maxSteps);
        this.boots = random("boots");
        this.watcher = living(WATCHER);
    }

    /**
     * Runs {@code main} as a worker of the watching process, until it ends. Fails when any worker dies of an exception,
     * when nobody can go on, or when so much virtual time is over first, and says who waits for what. On return no thread
     * is left.
     */
    public void run(Duration atMost, Task main) {
        run(atMost, () -> true, main);
    }

    /** As {@link #run(Duration, Task)}, but until {@code main} has ended and {@code until} holds. */
    public void run(Duration atMost, BooleanSupplier until, Task main) {
        checkState(!ran, "a simulation runs once");
        ran = true;
        SimWorker worker = baton.start(watcher, "main", main);
        baton.run(atMost.toNanos(), () -> worker.state == SimWorker.State.ENDED && until.getAsBoolean());
    }

    /** The scheduler of a process. After a crash the same name is another, started again. */
    public Scheduler process(String name) {
        return living(name);
    }

    SimProcess living(String name) {
        SimProcess process = processes.get(name);
        if (process == null || process.isOver()) {
            process = new SimProcess(baton, name, boots.nextLong(1L << 50));
            processes.put(name, process);
        }
        return process;
    }

    /** True from the first {@link #process} of that name to its crash. */
    public boolean isRunning(String name) {
        SimProcess process = processes.get(name);
        return process != null && !process.isOver();
    }

    /**
     * Ends a process at once: its ports are cut off, its timers never fire, its workers unwind by {@link ProcessCrashed}
     * from where they wait. Does not return to a worker of that process.
     */
    public void crash(String name) {
        checkArgument(!name.equals(WATCHER), "the watching process does not crash");
        SimProcess process = processes.get(name);
        if (process != null && !process.isOver()) {
            baton.note("crash of " + name);
            process.crash();
        }
        SimWorker caller = SimWorker.currentOrNull();
        if (caller != null && caller.process == process) {
            caller.condemn();
            throw new ProcessCrashed(name);
        }
    }

    /** Runs when this life of the process ends by a crash, before its workers unwind: where a port cuts it off. */
    public void whenCrashed(String name, Runnable run) {
        living(name).whenCrashed(run);
    }

    /** No worker of the process gets the baton for a while, though its deadlines pass: a long collection of garbage. */
    public void pauseProcess(String name, long millis) {
        baton.note("pause of " + name + " for " + millis + " ms");
        living(name).pauseUntil(baton.nowNanos() + TimeUnit.MILLISECONDS.toNanos(millis));
        yieldPoint();
    }

    /** One worker of the process never gets the baton again, wherever it is: a thread that hangs. The others go on. */
    public void hangWorker(String name, String worker) {
        baton.note(worker + " of " + name + " hangs");
        checkState(baton.hang(living(name), worker), "%s has no worker %s", name, worker);
        yieldPoint();
    }

    public boolean isPaused(String name) {
        SimProcess process = processes.get(name);
        return process != null && process.isPaused();
    }

    /** From now on the wall clock of the process is wrong by so much. */
    public void moveClock(String name, long micros) {
        baton.note("clock of " + name + " off by " + micros + " us");
        living(name).moveClock(micros);
    }

    /** Others may go first. Nothing happens on a thread that is no worker, so that a test can prepare its stores. */
    public void yieldPoint() {
        if (SimWorker.currentOrNull() != null) {
            baton.yieldPoint();
        }
    }

    /** Waits, whatever interrupts: what a port does that takes its time. As {@link #yieldPoint} outside of workers. */
    public void delay(long micros) {
        if (SimWorker.currentOrNull() != null) {
            long deadline = baton.nowNanos() + TimeUnit.MICROSECONDS.toNanos(micros);
            do {
                baton.awaitUninterruptibly("a port", deadline - baton.nowNanos());
            } while (deadline > baton.nowNanos());
        }
    }

    /** Chance for one purpose, of the same seed, undisturbed by what other purposes take. */
    public RandomGenerator random(String purpose) {
        return new SplittableRandom(seed * 31 + purpose.hashCode());
    }

    /** Ends the run with a bug that no worker died of. */
    void fail(String what, @Nullable Throwable cause) {
        baton.fail(what, cause);
    }

    /** Puts an event into the trace, and among the last words of a run that fails. */
    public void note(String event) {
        baton.note(event);
    }

    /** The same of one of many of its kind. */
    void noteSmall(String event) {
        baton.noteSmall(event);
    }

    /** All events, the first before the others; of very many the last. */
    public List<SimEvent> events() {
        return baton.trace().events();
    }

    /** Something that whoever looks back wants to know the number of has happened once more. */
    public void count(Enum<?> event) {
        counts.merge(event, 1L, Long::sum);
    }

    /** How often what happened; what never did is not there. */
    public Map<Enum<?>, Long> counts() {
        return Collections.unmodifiableMap(counts);
    }

    /** Something that was sent or written, by the hash of its bytes: of the trace's number, and of nothing else. */
    void trace(int content) {
        baton.trace().content(content);
    }

    /** Everything that happened as one number: differs when two runs differ. */
    public long trace() {
        return baton.trace().digest();
    }

    /** Virtual time since the beginning. */
    public Duration elapsed() {
        return Duration.ofNanos(baton.nowNanos());
    }

    @Override
    public Clock clock() {
        return watcher;
    }

    @Override
    public Worker start(String name, Task task) {
        return watcher.start(name, task);
    }

    @Override
    public WorkerPool pool(String name, int workers, int queueBound) {
        return watcher.pool(name, workers, queueBound);
    }

    @Override
    public <T> T await(CompletableFuture<T> future, long timeoutMillis) throws BigtableException, InterruptedException {
        return watcher.await(future, timeoutMillis);
    }

    @Override
    public void pause(long millis) throws InterruptedException {
        watcher.pause(millis);
    }

    @Override
    public <T> Mailbox<T> mailbox(int capacity) {
        return watcher.mailbox(capacity);
    }

    @Override
    public void after(long millis, Runnable action) {
        watcher.after(millis, action);
    }
}
