package bt.testing;

import bt.base.Scheduler.WorkerPool;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/** A pool whose workers are started as they are needed, and then stay. */
final class SimPool implements WorkerPool {
    private final SimBaton baton;
    private final SimProcess process;
    private final String name;
    private final int maxWorkers;
    private final int queueBound;
    private final Deque<Runnable> queue = new ArrayDeque<>();
    private final List<SimWorker> workers = new ArrayList<>();
    private final List<SimWorker> idle = new ArrayList<>();
    private boolean closed;

    SimPool(SimProcess process, String name, int maxWorkers, int queueBound) {
        this.baton = process.baton();
        this.process = process;
        this.name = name;
        this.maxWorkers = maxWorkers;
        this.queueBound = queueBound;
    }

    @Override
    public void execute(Runnable run) {
        if (closed || process.isOver()) {
            throw new RejectedExecutionException(name + " is closed");
        }
        boolean starts = idle.isEmpty() && workers.size() < maxWorkers;
        if (idle.isEmpty() && !starts && queue.size() >= queueBound) {
            throw new RejectedExecutionException(name + " has " + queue.size() + " waiting already");
        }
        queue.addLast(run);
        if (starts) {
            workers.add(baton.start(process, name + "-" + (workers.size() + 1), this::work));
        } else if (!idle.isEmpty()) {
            baton.wake(idle.remove(0));
        }
    }

    private void work() throws InterruptedException {
        while (!closed) {
            Runnable next = queue.pollFirst();
            if (next == null) {
                SimWorker me = SimWorker.current();
                idle.add(me);
                baton.awaitUninterruptibly("work in " + name, SimBaton.FOREVER);
                idle.remove(me);
            } else {
                next.run();
                // What interrupted one task is not meant for the next.
                if (!closed && Thread.interrupted()) {
                    baton.note(name + " was interrupted");
                }
                baton.yieldPoint();
            }
        }
    }

    @Override
    public void close() {
        closed = true;
        queue.clear();
        idle.forEach(baton::wake);
        workers.stream().filter(worker -> !worker.isCurrent()).forEach(SimWorker::interrupt);
    }

    @Override
    public boolean join(long timeoutMillis) throws InterruptedException {
        long deadline = baton.deadline(timeoutMillis);
        boolean ended = true;
        for (SimWorker worker : List.copyOf(workers)) {
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - baton.nowNanos());
            ended &= worker.join(Math.max(1, left));
        }
        return ended;
    }
}
