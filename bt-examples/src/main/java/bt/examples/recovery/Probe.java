package bt.examples.recovery;

import bt.base.BigtableException;
import bt.base.Scheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** A client of one tablet: it does its chore every few milliseconds, and remembers how long each took. One worker; other threads ask. */
final class Probe {
    private static final long PAUSE_MILLIS = 20;

    private final Chore chore;
    private final Scheduler scheduler;
    private volatile List<Interval> operations = List.of();
    private final AtomicLong lastBegunNanos = new AtomicLong(Long.MIN_VALUE);

    private volatile long begunNanos = Long.MIN_VALUE;

    private volatile boolean stopped;

    Probe(Chore chore, Scheduler scheduler) {
        this.chore = chore;
        this.scheduler = scheduler;
    }

    /** The worker: until {@link #stop}. */
    void run() throws InterruptedException {
        for (long number = 1; !stopped; number++) {
            long began = scheduler.clock().nanos();
            boolean answered = isAnswered(number);
            Interval operation = new Interval(began, scheduler.clock().nanos());
            operations = with(operation);
            if (answered) {
                lastBegunNanos.set(began);
            }
            scheduler.pause(PAUSE_MILLIS);
        }
    }

    /** All that were refused since {@link #begin}, and of the others the longest: there are many. */
    private List<Interval> with(Interval next) {
        List<Interval> kept = new ArrayList<>(operations());
        kept.add(next);
        long longest = kept.stream()
                .mapToLong(Interval::millis)
                .filter(millis -> millis <= Refusals.REFUSED_MILLIS)
                .max()
                .orElse(0);
        kept.removeIf(each -> each.millis() < longest);
        return List.copyOf(kept);
    }

    private boolean isAnswered(long number) {
        try {
            chore.carryOut(number);
            return true;
        } catch (BigtableException failed) {
            // It was tried for a minute, and is refused all that time.
            return false;
        }
    }

    /** Forgets the operations so far. */
    void begin() {
        begunNanos = scheduler.clock().nanos();
    }

    /** Those since {@link #begin}: all that were refused, and of the others the longest. */
    List<Interval> operations() {
        return operations.stream().filter(each -> each.endNanos() >= begunNanos).toList();
    }

    /** When its latest operation that succeeded began. */
    long lastBegunNanos() {
        return lastBegunNanos.get();
    }

    void stop() {
        stopped = true;
    }

    /** Once its worker has ended: see {@link Chore#lostWrites}. */
    long lostWrites() throws BigtableException {
        return chore.lostWrites();
    }
}
