package bt.base;

import static bt.base.Check.checkState;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Production: plain daemon threads, and a clock, which is the machine's unless somebody says otherwise. */
public final class ThreadScheduler implements Scheduler, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(ThreadScheduler.class);

    private final ScheduledThreadPoolExecutor timer =
            new ScheduledThreadPoolExecutor(1, run -> thread("bt-timer", run));

    private final Clock clock;
    private final Optional<Halt> onBug;

    /** A bug in a worker ends that worker and is printed, as the JVM does with a thread. */
    public ThreadScheduler() {
        this(Clock.system(), Optional.empty());
    }

    /**
     * For servers: a bug in a worker ends the process. One that lived on without its owner thread would keep its lock and
     * do nothing, and nobody would take over.
     */
    public ThreadScheduler(Clock clock, Halt onBug) {
        this(clock, Optional.of(onBug));
    }

    private ThreadScheduler(Clock clock, Optional<Halt> onBug) {
        this.clock = clock;
        this.onBug = onBug;
        timer.setRemoveOnCancelPolicy(true);
    }

    @Override
    public Clock clock() {
        return clock;
    }

    @Override
    public Worker start(String name, Task task) {
        Thread thread = thread(name, () -> {
            try {
                task.run();
            } catch (InterruptedException stopped) {
                // The end that its owner asked for.
            }
        });
        onBug.ifPresent(halt -> thread.setUncaughtExceptionHandler((worker, bug) -> {
            log.error("{} died of a bug", name, bug);
            halt.halt(name + " died of a bug: " + bug);
        }));
        thread.start();
        return new ThreadWorker(thread);
    }

    @Override
    public WorkerPool pool(String name, int workers, int queueBound) {
        AtomicInteger count = new AtomicInteger();
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        ThreadPoolExecutor executor = new ThreadPoolExecutor(
                workers,
                workers,
                10,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(queueBound),
                run -> remembered(thread(name + "-" + count.incrementAndGet(), run), threads));
        executor.allowCoreThreadTimeOut(true);
        return new ThreadPool(executor, threads, clock);
    }

    /** Among those of its pool, without those that have ended. */
    private static Thread remembered(Thread thread, Set<Thread> threads) {
        threads.removeIf(each -> each.getState() == Thread.State.TERMINATED);
        threads.add(thread);
        return thread;
    }

    @Override
    public <T> T await(CompletableFuture<T> future, long timeoutMillis) throws BigtableException, InterruptedException {
        try {
            return future.get(timeoutMillis, TimeUnit.MILLISECONDS);
        } catch (ExecutionException failed) {
            throw Failures.rethrow(failed);
        } catch (TimeoutException late) {
            throw new UnavailableException("no answer within " + timeoutMillis + " ms");
        }
    }

    @Override
    public void pause(long millis) throws InterruptedException {
        Thread.sleep(millis);
    }

    @Override
    public <T> Mailbox<T> mailbox(int capacity) {
        return new ThreadMailbox<>(capacity);
    }

    @Override
    public void after(long millis, Runnable action) {
        Future<?> fire = timer.schedule(action, millis, TimeUnit.MILLISECONDS);
        checkState(!fire.isCancelled(), "the timer is closed");
    }

    /**
     * Runs an action when this process is asked to end, by SIGTERM or SIGINT or by System.exit; the process ends when it
     * returns.
     */
    public static void atExit(String name, Runnable action) {
        Runtime.getRuntime().addShutdownHook(new Thread(action, name));
    }

    /** The same, until what is returned is run: then the action is no more, unless it runs already. */
    public static Runnable untilExit(String name, Runnable action) {
        Thread hook = new Thread(action, name);
        Runtime.getRuntime().addShutdownHook(hook);
        return () -> {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException ending) {
                // It runs.
            }
        };
    }

    /** Ends the timer; workers and pools are ended by who started them. */
    @Override
    public void close() {
        timer.shutdownNow();
    }

    private static Thread thread(String name, Runnable run) {
        Thread thread = new Thread(run, name);
        thread.setDaemon(true);
        return thread;
    }

    private record ThreadWorker(Thread thread) implements Worker {
        @Override
        public boolean isCurrent() {
            return Thread.currentThread() == thread;
        }

        @Override
        public void interrupt() {
            thread.interrupt();
        }

        @Override
        public boolean join(long timeoutMillis) throws InterruptedException {
            return hasEnded(thread, timeoutMillis);
        }
    }

    /** Whether it ends within this time, of which 0 would be for ever. */
    private static boolean hasEnded(Thread thread, long timeoutMillis) throws InterruptedException {
        thread.join(Math.max(1, timeoutMillis));
        return !thread.isAlive();
    }

    /** @param threads that have not ended, for an executor that has terminated says nothing of them */
    private record ThreadPool(ThreadPoolExecutor executor, Set<Thread> threads, Clock clock) implements WorkerPool {
        @Override
        public void execute(Runnable run) {
            executor.execute(run);
        }

        @Override
        public void close() {
            executor.shutdownNow();
        }

        @Override
        public boolean join(long timeoutMillis) throws InterruptedException {
            Deadline deadline = Deadline.after(clock, timeoutMillis);
            // Behind this none comes to be any more.
            boolean ended = executor.awaitTermination(timeoutMillis, TimeUnit.MILLISECONDS);
            for (Thread thread : threads) {
                ended &= hasEnded(thread, deadline.leftMillis());
            }
            return ended;
        }
    }
}
