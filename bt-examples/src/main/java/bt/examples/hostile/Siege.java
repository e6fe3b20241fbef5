package bt.examples.hostile;

import bt.base.Clock;
import bt.base.Deadline;
import bt.base.Scheduler;
import bt.base.Scheduler.Worker;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Bad callers at work, until the frames that they owe are sent, and what this JVM holds meanwhile. It ends in any case: after so many
 * anomalies that more say nothing new, and when nothing at all is answered any more. One thread.
 */
final class Siege {
    private static final int EARLY_PART = 10;
    private static final long LOOK_MILLIS = 20;
    private static final long COLLECT_MILLIS = 5_000;

    private final Scheduler scheduler;
    private final HostileTally tally;
    private final long stillMillis;
    private volatile boolean over;

    /** Given up when no frame was answered for so long. */
    Siege(Scheduler scheduler, HostileTally tally, long stillMillis) {
        this.scheduler = scheduler;
        this.tally = tally;
        this.stillMillis = stillMillis;
    }

    /**
     * Bad callers that send so many frames together.
     *
     * @param answered those that were, or that closed their connection
     */
    record Party(String name, List<Attack> attacks, long frames, AtomicLong answered) {
        Party {
            attacks = List.copyOf(attacks);
        }

        Party(String name, List<Attack> attacks, long frames) {
            this(name, attacks, frames, new AtomicLong());
        }

        private boolean isDone() {
            return answered.get() >= frames;
        }
    }

    /** What came of it. */
    record Outcome(double seconds, HostileReport.Held held) {}

    /** Once. */
    Outcome run(List<Party> parties) throws InterruptedException {
        Clock clock = scheduler.clock();
        long began = clock.nanos();
        List<Worker> workers = new ArrayList<>();
        for (Party party : parties) {
            for (Attack attack : party.attacks()) {
                workers.add(scheduler.start(party.name(), () -> run(attack, party)));
            }
        }
        HostileReport.Held held = watch(parties, workers);
        double seconds = (clock.nanos() - began) / 1e9;
        for (Party party : parties) {
            if (!party.isDone()) {
                tally.anomaly(party.name() + ": " + party.answered() + " of " + party.frames()
                        + " frames had come to their end when it was given up");
            }
        }
        return new Outcome(seconds, held);
    }

    private void run(Attack attack, Party party) {
        while (!party.isDone() && !over && !tally.isEnough()) {
            try {
                party.answered().addAndGet(attack.run());
            } catch (IOException | RuntimeException failed) {
                tally.anomaly(party.name() + ": " + failed);
            }
        }
    }

    private HostileReport.Held watch(List<Party> parties, List<Worker> workers) throws InterruptedException {
        long frames = parties.stream().mapToLong(Party::frames).sum();
        Deadline still = Deadline.after(scheduler.clock(), stillMillis);
        Deadline uncollected = Deadline.after(scheduler.clock(), COLLECT_MILLIS);
        Memory early = Memory.NONE;
        Memory peak = Memory.NONE;
        long answered = 0;
        while (anyRuns(workers)) {
            long now =
                    parties.stream().mapToLong(party -> party.answered().get()).sum();
            if (now > answered) {
                answered = now;
                still = Deadline.after(scheduler.clock(), stillMillis);
            } else if (still.isOver()) {
                over = true;
                tally.anomaly("no frame was answered for " + stillMillis + " ms");
                break;
            }
            if (early.equals(Memory.NONE) && answered >= frames / EARLY_PART) {
                early = Memory.settled();
                peak = early;
            } else if (uncollected.isOver()) {
                peak = peak.peak(Memory.collected());
                uncollected = Deadline.after(scheduler.clock(), COLLECT_MILLIS);
            } else {
                peak = peak.peak(Memory.direct());
            }
        }
        Memory late = Memory.settled();
        Memory first = early.equals(Memory.NONE) ? late : early;
        return new HostileReport.Held(first, peak.peak(late), late);
    }

    /** Waits a moment for the first of those that do. */
    private static boolean anyRuns(List<Worker> workers) throws InterruptedException {
        for (Worker worker : workers) {
            if (!worker.join(LOOK_MILLIS)) {
                return true;
            }
        }
        return false;
    }
}
