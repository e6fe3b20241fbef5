package bt.base;

import bt.base.BigtableException.Outcome;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The only place that tries again. What is UNAVAILABLE is tried again after a pause that grows by half, what is OVERLOADED as
 * long after the time that the other side said, anything else never; all of it until one deadline. Pauses are spread at random, or all clients of
 * a server that died would come back in step.
 */
public final class Retry {
    private static final long FIRST_PAUSE_MILLIS = 20;
    private static final long LONGEST_PAUSE_MILLIS = 1_000;

    private final Scheduler scheduler;
    private final RandomGenerator random;
    private final long deadlineMillis;
    private final Ending ending;
    private final boolean changes;

    /** The generator is used by every thread that retries: one that bears that, as {@link java.util.Random} does. */
    public Retry(Scheduler scheduler, RandomGenerator random, long deadlineMillis) {
        this(scheduler, random, deadlineMillis, new Ending("it ended", "begin another"));
    }

    /** The same for an owner who may end meanwhile: REJECTED then, and nothing is attempted. */
    public Retry(Scheduler scheduler, RandomGenerator random, long deadlineMillis, Ending ending) {
        this(scheduler, random, deadlineMillis, ending, true);
    }

    private Retry(Scheduler scheduler, RandomGenerator random, long deadlineMillis, Ending ending, boolean changes) {
        this.scheduler = scheduler;
        this.random = random;
        this.deadlineMillis = deadlineMillis;
        this.ending = ending;
        this.changes = changes;
    }

    /** The same for what changes nothing: no attempt leaves anything in doubt, and the last says what all come to. */
    public Retry ofReads() {
        return new Retry(scheduler, random, deadlineMillis, ending, false);
    }

    /** One attempt: it forgets what it learns to be wrong, so that the next one goes another way. */
    @FunctionalInterface
    public interface Attempt<T> {
        T run(Deadline deadline) throws BigtableException, InterruptedException;
    }

    /** An attempt at a change, which it may find to be made. */
    @FunctionalInterface
    public interface Change<T> {
        /**
         * Makes the change.
         *
         * @param mayBeMade by an attempt before this one, of which nobody has heard
         */
        T attempt(Deadline deadline, boolean mayBeMade) throws BigtableException, InterruptedException;
    }

    /**
     * Attempts until one succeeds, fails for good, or the time is over: the last failure is then thrown, with what there is
     * to do, and with how often and how long it was tried. The subject begins that message. Its outcome is that of all attempts: UNKNOWN where one
     * of them was, for that one may have been applied though the last was not; what was OVERLOADED is UNAVAILABLE then.
     */
    public <T> T run(String subject, Attempt<T> attempt) throws BigtableException, InterruptedException {
        return run(() -> subject, attempt);
    }

    /** The same with a subject that is put into words only for that message. */
    public <T> T run(Supplier<String> subject, Attempt<T> attempt) throws BigtableException, InterruptedException {
        return run(subject, Deadline.after(scheduler.clock(), deadlineMillis), attempt);
    }

    /** The same of a change. */
    public <T> T change(String subject, Change<T> change) throws BigtableException, InterruptedException {
        return change(() -> subject, Deadline.after(scheduler.clock(), deadlineMillis), change);
    }

    /** The same until the deadline of something larger; attempted once even when that is over. */
    public <T> T run(String subject, Deadline deadline, Attempt<T> attempt)
            throws BigtableException, InterruptedException {
        return run(() -> subject, deadline, attempt);
    }

    /** The same with a subject that is put into words only for that message. */
    public <T> T run(Supplier<String> subject, Deadline deadline, Attempt<T> attempt)
            throws BigtableException, InterruptedException {
        return change(subject, deadline, (until, mayBeMade) -> attempt.run(until));
    }

    private <T> T change(Supplier<String> subject, Deadline deadline, Change<T> change)
            throws BigtableException, InterruptedException {
        long begin = scheduler.clock().nanos();
        boolean inDoubt = false;
        ending.check(subject);
        for (int attempts = 1; ; attempts++) {
            try {
                return change.attempt(deadline, inDoubt);
            } catch (RejectedException | CorruptionException | FencedException last) {
                throw (inDoubt ? doubted(last) : last).advised();
            } catch (UnavailableException | OverloadedException attempted) {
                inDoubt |= changes && attempted.outcome() == Outcome.UNKNOWN;
                BigtableException failure = inDoubt ? doubted(attempted) : attempted;
                ending.check(subject, failure);
                long wait = pauseAfter(attempts, attempted);
                if (wait >= deadline.leftMillis()) {
                    throw gaveUp(subject.get(), attempts, (scheduler.clock().nanos() - begin) / 1_000_000, failure);
                }
                scheduler.pause(wait);
                ending.check(subject, failure);
            }
        }
    }

    /** For how long nothing is tried, in milliseconds, where the attempt of this number, from 1, has failed so. */
    public long pauseAfter(int attempts, BigtableException failed) {
        long pause = FIRST_PAUSE_MILLIS;
        for (int i = 1; i < attempts && pause < LONGEST_PAUSE_MILLIS; i++) {
            pause = Math.min(pause + pause / 2, LONGEST_PAUSE_MILLIS);
        }
        // Behind the time that was told, to all who came: together they would be too many again.
        long told = failed instanceof OverloadedException overloaded ? overloaded.retryAfterMillis() : 0;
        return told + spread(pause);
    }

    /** The same of unknown outcome. */
    private static BigtableException doubted(BigtableException last) {
        if (last.outcome() == Outcome.UNKNOWN) {
            return last;
        }
        BigtableException doubted = last.unknown(last.fact());
        return last.advice().map(doubted::advising).orElse(doubted);
    }

    private long spread(long pause) {
        return pause / 2 + random.nextLong(pause);
    }

    /** What one of several that were tried together failed with at last, with its subject and with what to do. */
    public static BigtableException givenUp(String subject, BigtableException last) {
        return whole(subject, last, "given up");
    }

    private static BigtableException gaveUp(String subject, int attempts, long millis, BigtableException last) {
        return whole(subject, last, "attempt " + attempts + ", given up after " + millis + " ms");
    }

    private static BigtableException whole(String subject, BigtableException last, String how) {
        long retryAfter = last instanceof OverloadedException overloaded ? overloaded.retryAfterMillis() : 0;
        Advice usual = last instanceof OverloadedException ? Advice.LESS : Advice.LATER;
        String message = String.format("%s: %s (%s)", subject, last.fact(), how);
        return BigtableException.of(last.kind(), message, last.outcome(), retryAfter)
                .advising(last.advice().orElse(usual))
                .causedBy(last);
    }
}
