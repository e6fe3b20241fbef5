package bt.testing;

import bt.base.Scheduler.Task;
import bt.base.Scheduler.Worker;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A worker: a real thread that runs only while it holds the baton. Its fields belong to whoever holds the baton. */
final class SimWorker implements Worker {
    /** Where a worker stands. */
    enum State {
        RUNNABLE,
        WAITING,
        ENDED
    }

    private static final ThreadLocal<@Nullable SimWorker> SELF = new ThreadLocal<>();
    /** How often product code may catch its own crash: it may clean up, not go on. */
    private static final int PATIENCE = 1000;

    final SimProcess process;
    final List<SimWorker> joiners = new ArrayList<>();
    State state = State.RUNNABLE;
    String waitsFor = "its start";
    boolean interruptible;
    boolean wokenByTime;
    /** It never gets the baton again. */
    boolean hangs;
    /** True while it runs what {@link bt.base.Scheduler#after} was given. */
    boolean mustNotWait;

    @Nullable SimTimer timer;

    private final SimBaton baton;
    private final String name;
    private final Semaphore turn = new Semaphore(0);
    private final Thread thread;
    private boolean started;
    private boolean condemned;
    private int complaints;

    SimWorker(SimBaton baton, SimProcess process, String name, Task task) {
        this.baton = baton;
        this.process = process;
        this.name = process.name() + "/" + name;
        this.thread = new Thread(() -> live(task), this.name);
        this.thread.setDaemon(true);
    }

    /** The worker that calls; throws what unwinds it if its process has crashed. */
    static SimWorker current() {
        SimWorker worker = currentOrNull();
        if (worker == null) {
            throw new IllegalStateException(Thread.currentThread() + " is no worker of a simulation: it cannot wait");
        }
        return worker;
    }

    /** As {@link #current}, but null on a thread that is no worker. */
    static @Nullable SimWorker currentOrNull() {
        SimWorker worker = SELF.get();
        if (worker != null) {
            worker.checkAlive();
        }
        return worker;
    }

    static boolean isThisThreadOne() {
        return SELF.get() != null;
    }

    private void live(Task task) {
        SELF.set(this);
        try {
            takeTurn();
            task.run();
        } catch (InterruptedException stopped) {
            // The end that its owner asked for.
        } catch (Throwable uncaught) {
            // Who is condemned may stumble over what the crash took away.
            if (!condemned) {
                baton.fail(this + " died of " + uncaught, uncaught);
            }
        } finally {
            baton.ended(this);
        }
    }

    /** Lets it run; nobody else may. */
    void giveTurn() {
        if (!started) {
            started = true;
            if (isThisThreadOne()) {
                thread.start();
            } else {
                OneCore.start(thread);
            }
        }
        turn.release();
    }

    /** Blocks the thread until it is given a turn. */
    void takeTurn() {
        turn.acquireUninterruptibly();
        checkAlive();
    }

    private void checkAlive() {
        if (condemned) {
            complaints++;
            if (complaints > PATIENCE) {
                baton.fail(this + " catches its own crash again and again", null);
                // Nothing ends a thread that will not; parked it does no harm.
                turn.acquireUninterruptibly();
            }
            throw new ProcessCrashed(process.name());
        }
    }

    /** From now on every wait throws. */
    void condemn() {
        condemned = true;
    }

    /** Condemns it and waits until it is gone. Not called on its own thread. */
    void unwind() {
        condemn();
        if (!started) {
            baton.ended(this);
            return;
        }
        turn.release();
        if (!Uninterruptibly.join(thread, TimeUnit.SECONDS.toMillis(10))) {
            baton.fail(this + " does not unwind\n" + stack(), null);
        }
    }

    String stack() {
        StringBuilder text = new StringBuilder();
        for (StackTraceElement frame : thread.getStackTrace()) {
            text.append("        at ").append(frame).append('\n');
        }
        return text.toString();
    }

    @Override
    public boolean isCurrent() {
        return Thread.currentThread() == thread;
    }

    @Override
    public void interrupt() {
        thread.interrupt();
        if (state == State.WAITING && interruptible) {
            baton.wake(this);
        }
    }

    @Override
    public boolean join(long timeoutMillis) throws InterruptedException {
        return baton.join(this, timeoutMillis);
    }

    boolean mayRun() {
        return !hangs && !process.isPaused();
    }

    @Override
    public String toString() {
        return name;
    }
}
