package bt.base;

import java.util.concurrent.CompletableFuture;

/**
 * Where threads come from and the only way to wait. In production a worker is a plain thread. In the simulator workers
 * pass one baton, in an order taken from the seed and over virtual time, which is why no product code blocks in any other
 * way: a thread that blocks on its own would hold the baton for ever. A lock may be held between two waits, never across
 * one.
 */
public interface Scheduler {
    Clock clock();

    /** Starts a worker: a named thread that runs {@code task} once. */
    Worker start(String name, Task task);

    /**
     * A bounded set of workers that run what they are given, in no promised order. A full queue refuses with
     * {@link java.util.concurrent.RejectedExecutionException}.
     */
    WorkerPool pool(String name, int workers, int queueBound);

    /** An unbounded wait is a bug: the future's value, or its failure, or UNAVAILABLE when the time is over. */
    <T> T await(CompletableFuture<T> future, long timeoutMillis) throws BigtableException, InterruptedException;

    void pause(long millis) throws InterruptedException;

    <T> Mailbox<T> mailbox(int capacity);

    /** Runs {@code action} after a while, on a thread that must not be blocked. */
    void after(long millis, Runnable action);

    /** What a worker does. Interruption ends it. */
    @FunctionalInterface
    interface Task {
        void run() throws InterruptedException;
    }

    /** A running worker. */
    interface Worker {
        /** True on the worker's own thread: how an owner asserts its ownership. */
        boolean isCurrent();

        void interrupt();

        /** Waits for the end; false when the time is over first. */
        boolean join(long timeoutMillis) throws InterruptedException;
    }

    /** A bounded set of workers. */
    interface WorkerPool extends java.util.concurrent.Executor, AutoCloseable {
        /** Interrupts what runs and forgets what waits. */
        @Override
        void close();

        /** Waits, once it is closed, for the end of its workers, by none of them; false when the time is over first. */
        boolean join(long timeoutMillis) throws InterruptedException;
    }
}
