package bt.tabletserver;

import static bt.base.BigtableException.Outcome.NOT_APPLIED;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.FencedException;
import bt.base.Halt;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import bt.coord.Lock;
import bt.coord.LockService;
import bt.coord.Paths;
import bt.coord.SmallFile;
import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The right to answer reads: until so long after the last renewal of the server's lock was sent. The lease thread owns
 * the lock and has a client of the lock service to itself, so that nothing else can keep it waiting. Should the lock be
 * lost while the server's file is still there, nobody has taken a tablet from us: the lock is taken again. Once the file
 * is gone the process ends. Writes need no lease, because the log fences them.
 */
final class Lease {
    private static final Logger log = LoggerFactory.getLogger(Lease.class);
    private static final int MAX_WAITING = 10_000;

    /**
     * Who waits is told so long before its deadline that it waits in vain, or a tenth of its time before where that is less: a client that
     * ends its calls itself, and has heard nothing for long, takes this server for one that hangs.
     */
    private static final long FAREWELL_NANOS = 1_000_000_000L;

    /** While some wait their deadlines are looked at so often. */
    private static final long DEADLINES_MILLIS = 50;

    private static final long CLOCK_EVERY_NANOS = 20_000_000_000L;

    /** A server that does not get on for so many leases ends itself. */
    private static final int STANDSTILL_LEASES = 5;

    private static final int LOOKS_A_LEASE = 3;

    private final Scheduler scheduler;
    private final LockService locks;
    private final Identity self;
    private final long leaseNanos;
    private final Halt halt;
    private final ConcurrentLinkedQueue<Waiting> waiting = new ConcurrentLinkedQueue<>();

    /** Of those that wait: the queue would walk through all to count them. */
    private final AtomicInteger count = new AtomicInteger();

    /** Whether a look at the deadlines is due: there is one at a time. */
    private final AtomicBoolean isLookDue = new AtomicBoolean();

    private volatile long heldUntilNanos;
    private volatile boolean released;
    private volatile boolean clockIsRight = true;

    /**
     * For so long reads were not answered because the lock service did not renew the lock; not while the process itself stood still.
     * Only the lease thread adds.
     */
    private final AtomicLong outageNanos = new AtomicLong();

    /** How often the lease thread has come to the next of the things that it does. Only that thread adds. */
    private final AtomicLong steps = new AtomicLong();

    /** The lease thread's. */
    private Lock lock;

    /** When the clock was last compared. The lease thread's. */
    private long clockNanos;

    /** {@code sentNanos} is from before the lock was asked for. */
    Lease(Scheduler scheduler, LockService locks, Identity self, Held held, long leaseMillis, Halt halt) {
        this.scheduler = scheduler;
        this.locks = locks;
        this.self = self;
        this.leaseNanos = leaseMillis * 1_000_000;
        this.halt = halt;
        this.lock = held.lock();
        this.heldUntilNanos = held.sentNanos() + leaseNanos;
        this.clockNanos = held.sentNanos();
    }

    /** A lock, and when the request for it was sent. */
    record Held(Lock lock, long sentNanos) {}

    /** To be asked after a value was read and before the answer leaves. Any thread. */
    boolean isHeld() {
        return isHeldAt(scheduler.clock().nanos());
    }

    /** The same by a clock that was looked at before: whether it is worth beginning what asks again at its end. Any thread. */
    boolean isHeldAt(long nanos) {
        return !released && nanos - heldUntilNanos < 0;
    }

    /** For so long the server could not answer reads because of the lock service. Any thread. */
    long outageMillis() {
        return outageNanos.get() / 1_000_000;
    }

    /**
     * Grows by what the lease thread does, between any two questions to the lock service too: each may take as long as the
     * service may be waited for. Where this stays as it is for longer, the thread hangs. Any thread.
     */
    long steps() {
        return steps.get();
    }

    private void step() {
        steps.lazySet(steps.get() + 1);
    }

    /**
     * Whether this machine's clock agreed with the lock service's when last looked: only then does the server give
     * timestamps. Any thread.
     */
    boolean clockIsRight() {
        return clockIsRight;
    }

    /**
     * Completes when the lease is held, at once if it is; UNAVAILABLE shortly before the deadline where it is not, whatever the lease
     * thread waits for, or at once when {@value #MAX_WAITING} wait already. It may be the lease thread that completes it, or the one of
     * timers: what hangs on it must be short. Any thread.
     */
    CompletableFuture<Void> whenHeld(long deadlineNanos) {
        CompletableFuture<Void> held = new CompletableFuture<>();
        long nanos = scheduler.clock().nanos();
        if (isHeldAt(nanos)) {
            held.complete(null);
        } else if (released) {
            held.completeExceptionally(lapsed());
        } else if (count.incrementAndGet() > MAX_WAITING) {
            count.decrementAndGet();
            held.completeExceptionally(lapsed());
        } else {
            long early = Math.min(FAREWELL_NANOS, between(nanos, deadlineNanos) / 10);
            waiting.add(new Waiting(held, deadlineNanos - early));
            lookAtDeadlines();
        }
        return held;
    }

    /** Later, and again for as long as some wait: the lease thread may be in a question to the lock service, or in two, until theirs are over. */
    private void lookAtDeadlines() {
        if (isLookDue.compareAndSet(false, true)) {
            scheduler.after(DEADLINES_MILLIS, () -> {
                // Before it looks: who comes from now on has a look of its own.
                isLookDue.set(false);
                answerWaiting();
                if (!waiting.isEmpty()) {
                    lookAtDeadlines();
                }
            });
        }
    }

    /**
     * The lease thread. {@code look} tells what of the server does not get on, if anything: one that hangs must lose its
     * lease, or nobody could take its tablets. For how long something stands still is counted in looks: a process that was
     * stopped as a whole has looked at nothing meanwhile.
     */
    void run(Supplier<Optional<Standstill>> look) throws InterruptedException {
        int standing = 0;
        long lookedNanos = scheduler.clock().nanos();
        try {
            while (!released) {
                long pauseMillis = leaseNanos / LOOKS_A_LEASE / 1_000_000;
                long dueNanos = scheduler.clock().nanos() + pauseMillis * 1_000_000;
                scheduler.pause(pauseMillis);
                long wokeNanos = scheduler.clock().nanos();
                step();
                Optional<Standstill> seen = look.get();
                if (seen.isEmpty()) {
                    standing = 0;
                    long endedNanos = heldUntilNanos;
                    renew();
                    // Since the lease ran out, whether or not it is held again. Who was to be awake and was not,
                    // because of a collection of garbage or a machine that stood still, would have renewed it by then.
                    outageNanos.addAndGet(between(laterOf(lookedNanos, endedNanos), dueNanos)
                            + between(
                                    laterOf(wokeNanos, endedNanos),
                                    scheduler.clock().nanos()));
                    warnOfStandstill(dueNanos, wokeNanos, endedNanos);
                } else if (!seen.get().hangs() && ++standing < STANDSTILL_LEASES * LOOKS_A_LEASE) {
                    log.warn("{}: {}, the lease is not renewed", self.id(), seen.get());
                } else {
                    end(seen.get());
                }
                lookedNanos = scheduler.clock().nanos();
                answerWaiting();
                // Whatever the lock service's answer was: the pause that follows is a wait of its own.
                step();
            }
        } finally {
            lock.close();
        }
    }

    /** As long as the lock is there nobody takes our tablets, and this process would keep its session alive for ever. */
    private void end(Standstill seen) {
        release();
        // Or whoever takes the tablets waits for the session too. It takes a quarter of a second at most.
        lock.close();
        halt.halt(self.id() + ": " + seen);
    }

    /** In which reads waited, and the lock service had no part. */
    private void warnOfStandstill(long dueNanos, long wokeNanos, long endedNanos) {
        long lapsed = between(laterOf(dueNanos, endedNanos), wokeNanos);
        if (lapsed > 0) {
            log.warn(
                    "{}: this process stood still for {} ms, and had no lease for {} of them",
                    self.id(),
                    (wokeNanos - dueNanos) / 1_000_000,
                    lapsed / 1_000_000);
        }
    }

    private static long between(long nanos, long laterNanos) {
        return Math.max(0, laterNanos - nanos);
    }

    private static long laterOf(long nanos, long others) {
        return nanos - others > 0 ? nanos : others;
    }

    /** Stops answering and gives the lock back. Any thread. */
    void release() {
        released = true;
        answerWaiting();
    }

    private void renew() {
        long sent = scheduler.clock().nanos();
        try {
            lock.renew();
            heldUntilNanos = sent + leaseNanos;
            step();
            lookAtClock();
        } catch (FencedException lost) {
            heldUntilNanos = sent;
            log.warn("{}: {}; no reads until the lock is ours again", self.id(), lost.getMessage());
            step();
            takeAgain();
        } catch (BigtableException unknown) {
            log.warn("{}: lease not renewed: {}", self.id(), unknown.getMessage());
        }
    }

    /** Now and then: the lock node says when the lock service, by its own clock, took the last renewal. */
    private void lookAtClock() {
        long now = scheduler.clock().nanos();
        if (now - clockNanos < CLOCK_EVERY_NANOS) {
            return;
        }
        clockNanos = now;
        try {
            Optional<SmallFile> renewed = locks.read(Paths.serverLock(self.id()));
            if (renewed.isPresent()) {
                long error = Math.abs(scheduler.clock().micros() - renewed.get().modifiedMicros());
                boolean right = error <= Registration.MAX_CLOCK_ERROR_MICROS;
                if (right != clockIsRight) {
                    log.warn(
                            "{}: this clock is {} s away from the lock service's: timestamps are {}given",
                            self.id(),
                            error / 1_000_000,
                            right ? "" : "not ");
                }
                clockIsRight = right;
            }
        } catch (BigtableException unknown) {
            log.debug("{}: {}", self.id(), unknown.getMessage());
        }
    }

    private void takeAgain() {
        long sent = scheduler.clock().nanos();
        try {
            Optional<Lock> again = locks.tryLock(Paths.serverLock(self.id()), Bytes.utf8(self.id()));
            if (again.isPresent()) {
                lock = again.get();
                heldUntilNanos = sent + leaseNanos;
            }
            return;
        } catch (BigtableException failed) {
            log.warn("{}: {}", self.id(), failed.getMessage());
        }
        step();
        try {
            if (locks.read(Paths.server(self.id())).isEmpty()) {
                // Declared dead: our tablets are others' by now, and what we hold of them is old.
                released = true;
                halt.halt(self.id() + ": the server's file is gone from the lock service");
            }
        } catch (BigtableException unknown) {
            log.warn("{}: {}", self.id(), unknown.getMessage());
        }
    }

    /** Any thread. */
    private void answerWaiting() {
        for (Iterator<Waiting> all = waiting.iterator(); all.hasNext(); ) {
            Waiting one = all.next();
            boolean isNow = isHeld();
            if (isNow || released || scheduler.clock().nanos() - one.untilNanos >= 0) {
                all.remove();
                // Others may be here too.
                if (isNow ? one.held.complete(null) : one.held.completeExceptionally(lapsed())) {
                    count.decrementAndGet();
                }
            }
        }
    }

    private UnavailableException lapsed() {
        return new UnavailableException(self.id() + " has no lease to answer reads", NOT_APPLIED);
    }

    private record Waiting(CompletableFuture<Void> held, long untilNanos) {}
}
