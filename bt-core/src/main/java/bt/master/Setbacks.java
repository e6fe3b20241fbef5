package bt.master;

import bt.metadata.MetadataRow;
import bt.model.TabletId;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Tablets that servers could not load. Another server tries at once; after that the pauses double, up to half a minute, so
 * that a tablet whose file is damaged does not keep METADATA and all servers busy. What passes, as a file store that is away,
 * may be over any time: then a tablet is tried again after two seconds, and many, where one that is loaded ends the pauses of
 * all, a hundred a second. What kept many from being loaded passes for all at a time: once one of them is served, or
 * others live than before, every tablet is tried again, on the servers first that it has not failed on. One thread.
 */
final class Setbacks {
    private static final long FIRST_PAUSE_NANOS = 1_000_000_000L;
    private static final int MOST_DOUBLINGS = 5;
    private static final long LONGEST_PAUSE_NANOS = 30_000_000_000L;

    /** While what kept a tablet from being loaded passes, and for how much longer some of many wait. */
    private static final long PASSING_PAUSE_NANOS = 2_000_000_000L;

    private static final long SPREAD_NANOS = 10_000_000L;

    /** Longer than an outage of the file system that is about to pass, as a rule. */
    private static final long STUCK_NANOS = 60_000_000_000L;

    /** A tablet that is not tried again for so long after its rest is gone. */
    private static final long GONE_NANOS = 600_000_000_000L;

    private final Map<TabletId, Setback> setbacks = new HashMap<>();

    /** The row's generation tells one failure, looked at again and again, from the next. No count: it begins anew. */
    private record Setback(
            int count, long generation, long sinceNanos, long untilNanos, Map<Long, Integer> failuresByEpoch) {
        private static final int NO_COUNT = -1;

        private Setback {
            failuresByEpoch = Map.copyOf(failuresByEpoch);
        }

        /** As if it had never failed, but for the servers that it failed on. */
        private Setback over(long nowNanos) {
            return new Setback(NO_COUNT, generation, nowNanos, nowNanos, failuresByEpoch);
        }

        private boolean isOver() {
            return count == NO_COUNT;
        }

        /** Without those on servers that are no more. */
        private Setback on(Set<Long> epochs) {
            Map<Long, Integer> failures = new HashMap<>(failuresByEpoch);
            failures.keySet().retainAll(epochs);
            return new Setback(count, generation, sinceNanos, untilNanos, failures);
        }
    }

    /** Whether a tablet whose load has failed, as its row stands and by what may pass, may be given to a server now. */
    boolean mayTryAgain(MetadataRow row, boolean passes, long nowNanos) {
        Setback last = setbacks.get(row.id());
        if (last == null || last.generation != row.generation()) {
            int count = last == null ? 0 : last.count + 1;
            long pause = count == 0 ? 0 : pause(row.id(), count, passes);
            long since = last == null || last.isOver() ? nowNanos : last.sinceNanos;
            Map<Long, Integer> failures = new HashMap<>(last == null ? Map.of() : last.failuresByEpoch);
            failures.merge(row.location().getEpoch(), 1, Integer::sum);
            last = new Setback(count, row.generation(), since, nowNanos + pause, failures);
            setbacks.put(row.id(), last);
        }
        return nowNanos - last.untilNanos >= 0;
    }

    private long pause(TabletId tablet, int count, boolean passes) {
        long pause = Math.min(FIRST_PAUSE_NANOS << Math.min(count, MOST_DOUBLINGS), LONGEST_PAUSE_NANOS);
        long spread = Math.floorMod(tablet.hashCode(), setbacks.size()) * SPREAD_NANOS;
        return passes ? Math.min(pause, PASSING_PAUSE_NANOS + spread) : pause;
    }

    /** How often the server of this epoch has failed to load the tablet. */
    int failures(TabletId tablet, long epoch) {
        Setback last = setbacks.get(tablet);
        return last == null ? 0 : last.failuresByEpoch.getOrDefault(epoch, 0);
    }

    /** Whether the tablet rests, and all loads have failed for so long that nobody should wait for the next. */
    boolean isStuck(MetadataRow row, long nowNanos) {
        Setback last = setbacks.get(row.id());
        return last != null
                && last.generation == row.generation()
                && nowNanos - last.untilNanos < 0
                && nowNanos - last.sinceNanos >= STUCK_NANOS;
    }

    /**
     * Others live than before, of these epochs: who has come may load what the others could not. Those come after it still: they
     * may all be of an earlier release.
     */
    void othersLive(Set<Long> epochs, long nowNanos) {
        endRests(nowNanos);
        setbacks.replaceAll((tablet, last) -> last.on(epochs));
    }

    private void endRests(long nowNanos) {
        setbacks.replaceAll((tablet, last) -> last.over(nowNanos));
    }

    /** Forgets tablets that are there no more. */
    void forgetGone(long nowNanos) {
        setbacks.values().removeIf(last -> nowNanos - last.untilNanos >= GONE_NANOS);
    }

    void isServed(TabletId tablet, long nowNanos) {
        if (setbacks.isEmpty()) {
            return;
        }
        Setback last = setbacks.remove(tablet);
        // Not where the second server could at once: that was the first one's trouble.
        if (last != null && last.count > 0) {
            endRests(nowNanos);
        }
    }

    /** Something else was done about the tablet. */
    void forget(TabletId tablet) {
        setbacks.remove(tablet);
    }
}
