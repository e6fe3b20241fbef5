package bt.tabletserver;

import bt.base.Clock;
import bt.base.RejectedException;
import bt.tabletserver.TabletSet.Failure;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/**
 * Which loads stand still. A file store that does not answer may keep a load for ever, and with it the tablet, for the master
 * waits for who loads. So a load that takes no step for too long is told as one that has failed, and the master gives the tablet
 * to another server. Nothing ends the load itself: should it go on one day, its last step, a conditional change of METADATA,
 * finds the row changed. One that was given up here does not come to that step. Any thread.
 */
final class LoadWatch {
    private final Clock clock;
    private final long limitNanos;
    private final LongSupplier sortedNanos;

    /** Of all loads of this server: while some get on, those that have not begun wait for their turn. */
    private volatile long lastStepNanos;

    /** {@code sortedNanos} is when a segment of a log was last sorted here, which many loads may wait for. */
    LoadWatch(Clock clock, long limitMillis, LongSupplier sortedNanos) {
        this.clock = clock;
        this.limitNanos = limitMillis * 1_000_000;
        this.sortedNanos = sortedNanos;
        this.lastStepNanos = clock.nanos();
    }

    /** Of a load that waits for a thread. */
    Course begin() {
        return new Course();
    }

    /** How far one load is. */
    final class Course {
        private final long sinceNanos = clock.nanos();
        private final AtomicReference<Fate> fate = new AtomicReference<>(Fate.OPEN);
        private volatile Step step = new Step("waits for a thread", sinceNanos, false);

        /** What it does from now on, in words for operators. */
        void step(String doing) {
            long now = clock.nanos();
            step = new Step(doing, now, true);
            lastStepNanos = now;
        }

        /** From here on METADATA may say that the tablet is served. REJECTED when the load was given up before. */
        void lastStep(String doing) throws RejectedException {
            changeMetadata(Fate.IN_LAST_STEP, doing);
        }

        /** From here on METADATA may say why the tablet cannot be loaded. REJECTED when the load was given up before. */
        void tells(String doing) throws RejectedException {
            changeMetadata(Fate.TELLS, doing);
        }

        private void changeMetadata(Fate how, String doing) throws RejectedException {
            if (!fate.compareAndSet(Fate.OPEN, how)) {
                throw new RejectedException(
                        "the load was given up, because it had not got on", "have the master load it again");
            }
            step(doing);
        }

        /** Whether METADATA may say that the tablet is served. */
        boolean isInLastStep() {
            return fate.get() == Fate.IN_LAST_STEP;
        }

        /**
         * True when the load changes nothing from now on, however far it gets; false when it is changing METADATA, and how that
         * ends nobody knows.
         */
        boolean giveUp() {
            return fate.compareAndSet(Fate.OPEN, Fate.GIVEN_UP) || fate.get() == Fate.GIVEN_UP;
        }

        /** Why the tablet should be loaded elsewhere; empty while the load gets on. */
        Optional<Failure> standstill() {
            Step now = step;
            long last = Math.max(now.begun ? now.sinceNanos : lastStepNanos, sortedNanos.getAsLong());
            long stillNanos = clock.nanos() - Math.max(last, sinceNanos);
            return stillNanos < limitNanos
                    ? Optional.empty()
                    : Optional.of(new Failure(
                            "the load has not got on for " + limitNanos / 1_000_000_000 + " s: it " + now.doing,
                            false));
        }
    }

    private enum Fate {
        OPEN,
        IN_LAST_STEP,
        TELLS,
        GIVEN_UP
    }

    private record Step(String doing, long sinceNanos, boolean begun) {}
}
