package bt.master;

import bt.base.BigtableException;
import bt.base.Clock;
import bt.base.Mailbox;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A scheduler that counts how often one worker, and nobody else, has come back from a wait, or from a quarter of a minute of it;
 * from one for a mailbox it says so itself. Any thread.
 */
final class SteppedScheduler implements Scheduler {
    private static final long PART_MILLIS = 15_000;

    private final Scheduler scheduler;
    private final AtomicLong steps = new AtomicLong();
    private volatile @Nullable Worker counted;

    SteppedScheduler(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    /** Whose waits are counted from now on. */
    void count(Worker worker) {
        counted = worker;
    }

    long steps() {
        return steps.get();
    }

    @Override
    public Clock clock() {
        return scheduler.clock();
    }

    @Override
    public Worker start(String name, Task task) {
        return scheduler.start(name, task);
    }

    @Override
    public WorkerPool pool(String name, int workers, int queueBound) {
        return scheduler.pool(name, workers, queueBound);
    }

    @Override
    public <T> T await(CompletableFuture<T> future, long timeoutMillis) throws BigtableException, InterruptedException {
        long left = timeoutMillis;
        try {
            while (left > PART_MILLIS && isCounted() && !hasCome(future)) {
                step();
                left -= PART_MILLIS;
            }
            return scheduler.await(future, left);
        } catch (UnavailableException failed) {
            throw future.isDone() ? failed : new UnavailableException("no answer within " + timeoutMillis + " ms");
        } finally {
            step();
        }
    }

    /** Waits a part of the time. */
    private boolean hasCome(CompletableFuture<?> future) throws InterruptedException {
        try {
            return scheduler.await(future.handle((answer, failure) -> true), PART_MILLIS);
        } catch (BigtableException notYet) {
            return false;
        }
    }

    @Override
    public void pause(long millis) throws InterruptedException {
        scheduler.pause(millis);
        step();
    }

    @Override
    public <T> Mailbox<T> mailbox(int capacity) {
        return scheduler.mailbox(capacity);
    }

    @Override
    public void after(long millis, Runnable action) {
        scheduler.after(millis, action);
    }

    /** Counts, if it is that worker who calls. */
    void step() {
        if (isCounted()) {
            steps.incrementAndGet();
        }
    }

    private boolean isCounted() {
        Worker worker = counted;
        return worker != null && worker.isCurrent();
    }
}
