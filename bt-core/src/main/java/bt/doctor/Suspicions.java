package bt.doctor;

import bt.base.Clock;
import bt.base.Scheduler;
import bt.doctor.Suspicion.Again;
import java.util.ArrayList;
import java.util.List;

/**
 * All that looked broken, until it has been looked at often enough. A cluster at work is never seen in one moment: a row
 * was read before a split, the file after it. So nothing is told that was seen once. One thread.
 */
final class Suspicions {
    /** More than anybody reads; what is broken beyond is counted. */
    private static final int MAX = 1_000;

    private static final long FIRST_PAUSE_MILLIS = 100;

    /** What changes all the time, and is broken at every look, is told in the end. */
    private static final int MOST_PATIENCES = 4;

    private final Scheduler scheduler;
    private final long patienceMillis;
    private final List<Waiting> waiting = new ArrayList<>();
    private long beyond;

    Suspicions(Scheduler scheduler, long patienceMillis) {
        this.scheduler = scheduler;
        this.patienceMillis = patienceMillis;
    }

    private static final class Waiting {
        private final Suspicion<?> suspicion;
        private long sinceNanos;

        private Waiting(Suspicion<?> suspicion, long sinceNanos) {
            this.suspicion = suspicion;
            this.sinceNanos = sinceNanos;
        }
    }

    <F extends Facts> void examine(Invariant<F> invariant, F facts, Again<F> again) {
        for (Finding finding : Finding.byPlace(invariant.check(facts))) {
            if (waiting.size() == MAX) {
                beyond++;
            } else {
                Suspicion<F> suspicion = new Suspicion<>(invariant, finding, facts.version(), again);
                waiting.add(new Waiting(suspicion, scheduler.clock().nanos()));
            }
        }
    }

    /** How many there were for which there was no room: none of them is looked at again. */
    long beyond() {
        return beyond;
    }

    /** Looks again until each is certain or gone: those that are broken. */
    List<Suspicion<?>> confirm() throws InterruptedException {
        List<Suspicion<?>> certain = new ArrayList<>();
        Clock clock = scheduler.clock();
        long last = clock.nanos() + MOST_PATIENCES * patienceMillis * 1_000_000;
        long pause = FIRST_PAUSE_MILLIS;
        while (!waiting.isEmpty()) {
            scheduler.pause(pause);
            pause = Math.min(2 * pause, Math.max(FIRST_PAUSE_MILLIS, patienceMillis / 4));
            List<Waiting> left = new ArrayList<>();
            for (Waiting one : waiting) {
                if (!one.suspicion.look()) {
                    continue;
                }
                long now = clock.nanos();
                if (one.suspicion.hasMoved()) {
                    one.sinceNanos = now;
                }
                boolean told = one.suspicion.isCertain()
                        || now - one.sinceNanos >= patienceMillis * 1_000_000
                        || now - last >= 0;
                if (told) {
                    certain.add(one.suspicion);
                } else {
                    left.add(one);
                }
            }
            waiting.clear();
            waiting.addAll(left);
        }
        return certain;
    }
}
