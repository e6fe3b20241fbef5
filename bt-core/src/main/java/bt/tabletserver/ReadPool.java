package bt.tabletserver;

import bt.base.Scheduler;
import bt.base.Scheduler.WorkerPool;
import bt.base.Turns.Turn;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;

/**
 * Threads that read, for one host after the other, and when one of them was last seen to end a read. A read may take long and
 * be right all the same, so no host has all of them at work ({@link ReadTurns}); the canary has one that is nobody's. Any thread.
 */
final class ReadPool implements AutoCloseable {
    /** Each write that depends on its row is one of them. */
    private static final int MAX_WAITING = 10_000;

    /** Each of the threads may be at work for some five seconds, and they may share one core. */
    private static final long MAX_STILL_NANOS = 120_000_000_000L;

    private final Scheduler scheduler;
    private final WorkerPool pool;
    private final ReadTurns turns;
    private volatile long endedNanos;

    /** When one of a host began, got on or ended. */
    private volatile long movedNanos;

    private volatile boolean closed;

    /** One host has at most half of the threads at work, another half of the rest. */
    ReadPool(Scheduler scheduler, String name, int threads) {
        this.scheduler = scheduler;
        // What has begun finds a thread that is free, or as good as free: none of it is ever refused.
        this.pool = scheduler.pool(name, threads + 1, threads + 1);
        this.turns = new ReadTurns(MAX_WAITING, threads);
        this.endedNanos = scheduler.clock().nanos();
        this.movedNanos = endedNanos;
    }

    /** RejectedExecutionException when too many wait. */
    void execute(String host, Runnable read) {
        if (!turns.add(host, read)) {
            throw new RejectedExecutionException("of " + MAX_WAITING + " places none is left for this host");
        }
        beginAll();
    }

    /**
     * One that holds what it has of the room. What it was given others lack until it ends, so it comes before all others of its
     * host; of such there are as many as there is room for. RejectedExecutionException when too many wait.
     */
    void execute(String host, ReadRoom.Hold room, Runnable read) {
        if (room.isGiven()) {
            turns.addFirst(host, read);
            beginAll();
        } else {
            execute(host, read);
        }
    }

    /** Whatever may: the end of one read lets another host begin, and then its own once more. */
    private void beginAll() {
        for (Optional<Turn<Runnable>> next = turns.begin(); next.isPresent(); next = turns.begin()) {
            Turn<Runnable> turn = next.get();
            // Not only where its thread begins: behind minutes without a read it would not be known that one is under
            // way.
            moved(turn);
            pool.execute(() -> run(turn));
        }
    }

    private void beginOthers() {
        try {
            beginAll();
        } catch (RejectedExecutionException closing) {
            // What waits is forgotten.
        }
    }

    /** Goes on with what waits on the same thread: to wake another costs more than many a read. */
    private void run(Turn<Runnable> first) {
        Optional<Turn<Runnable>> next = Optional.of(first);
        while (next.isPresent()) {
            runOne(next.get());
            next = closed ? Optional.empty() : turns.begin();
            if (next.isPresent()) {
                beginOthers();
            }
        }
    }

    private void runOne(Turn<Runnable> turn) {
        boolean isDone = false;
        moved(turn);
        try {
            turn.item().run();
            endedNanos = moved(turn);
            isDone = true;
        } finally {
            turns.end(turn);
            if (!isDone) {
                // This thread dies of a bug.
                beginOthers();
            }
        }
    }

    private long moved(Turn<Runnable> turn) {
        long now = scheduler.clock().nanos();
        if (!turn.whose().equals(ReadTurns.OWN)) {
            movedNanos = now;
        }
        return now;
    }

    /** One of a host goes on: a look at its row, or a block, is behind it. */
    void getsOn(long nowNanos) {
        movedNanos = nowNanos;
    }

    /** Whether some wait, and none has begun, got on or ended for longer than one that is right may. The canary may come and go. */
    boolean standsStill(long nowNanos) {
        return nowNanos - movedNanos > MAX_STILL_NANOS && turns.isAnyWaiting();
    }

    /** Monotonic nanoseconds. */
    long endedNanos() {
        return endedNanos;
    }

    /** Interrupts what runs and forgets what waits. */
    @Override
    public void close() {
        closed = true;
        pool.close();
    }
}
