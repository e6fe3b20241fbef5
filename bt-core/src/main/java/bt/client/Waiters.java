package bt.client;

import bt.base.Deadline;
import bt.base.Scheduler;
import bt.base.Scheduler.WorkerPool;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Threads for work that may wait: a few, as long as none of it takes long. Whoever has been at work for {@link
 * #PATIENCE_MILLIS} while others wait for a thread is no longer counted among them, so one of those gets a thread of its
 * own: work that waits for a server that does not answer, or for a look-up, holds up nothing that has to do with other
 * servers. So the threads are bounded by the work that there may be, and by the few beside: where all of it waits, each
 * piece has one. Any thread.
 */
final class Waiters implements Closing.Threads {
    static final int AT_ONCE = 64;
    static final long PATIENCE_MILLIS = 100;

    private final Scheduler scheduler;
    private final WorkerPool few;
    /** Its threads are begun where the few are not enough, and end soon after. */
    private final WorkerPool more;

    private final ReentrantLock lock = new ReentrantLock();

    /** What is at work and counted, by when it was begun, the first first. */
    private final Map<Turn, Long> counted = new LinkedHashMap<>();

    private final Deque<Runnable> queued = new ArrayDeque<>();
    private int busyOfTheFew;
    private boolean looking;

    /** At most so much work is there at a time. */
    Waiters(Scheduler scheduler, int mostAtATime) {
        this.scheduler = scheduler;
        this.few = scheduler.pool("bt-async-wait", AT_ONCE, mostAtATime);
        this.more = scheduler.pool("bt-async-wait-more", mostAtATime, mostAtATime);
    }

    /** RejectedExecutionException once it is closed. */
    void execute(Runnable work) {
        lock.lock();
        try {
            if (counted.size() < AT_ONCE) {
                begin(work);
            } else {
                queued.add(work);
                lookLater();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Forgets what waits, too. */
    @Override
    public void stop() {
        lock.lock();
        try {
            queued.clear();
        } finally {
            lock.unlock();
        }
        few.close();
        more.close();
    }

    @Override
    public void awaitEnd(Deadline farewell) throws InterruptedException {
        boolean unused = few.join(farewell.leftMillis());
        boolean unusedMore = more.join(farewell.leftMillis());
    }

    private void begin(Runnable work) {
        Turn turn = new Turn(work, busyOfTheFew < AT_ONCE);
        (turn.isOfTheFew ? few : more).execute(turn);
        busyOfTheFew += turn.isOfTheFew ? 1 : 0;
        counted.put(turn, scheduler.clock().nanos());
    }

    private void end(Turn turn) {
        lock.lock();
        try {
            busyOfTheFew -= turn.isOfTheFew ? 1 : 0;
            counted.remove(turn);
            fill();
        } finally {
            lock.unlock();
        }
    }

    private void fill() {
        try {
            while (counted.size() < AT_ONCE && !queued.isEmpty()) {
                begin(queued.element());
                queued.remove();
            }
        } catch (RejectedExecutionException closed) {
            queued.clear();
        }
    }

    private void lookLater() {
        if (!looking) {
            scheduler.after(PATIENCE_MILLIS, this::look);
            looking = true;
        }
    }

    /** Counts those no longer that have been at work for so long, as far as others wait. */
    private void look() {
        lock.lock();
        try {
            looking = false;
            long now = scheduler.clock().nanos();
            Iterator<Long> begun = counted.values().iterator();
            for (int left = queued.size(); left > 0 && begun.hasNext(); left--) {
                if (now - begun.next() < PATIENCE_MILLIS * 1_000_000) {
                    break;
                }
                begun.remove();
            }
            fill();
            if (!queued.isEmpty()) {
                lookLater();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Some work on its thread. */
    private final class Turn implements Runnable {
        private final Runnable work;
        private final boolean isOfTheFew;

        Turn(Runnable work, boolean isOfTheFew) {
            this.work = work;
            this.isOfTheFew = isOfTheFew;
        }

        @Override
        public void run() {
            try {
                work.run();
            } finally {
                end(this);
            }
        }
    }
}
