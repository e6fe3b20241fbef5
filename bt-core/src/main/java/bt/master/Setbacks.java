package bt.master;

import bt.metadata.MetadataRow;
import bt.model.TabletId;
import java.util.HashMap;
import java.util.Map;

/**
 * Tablets that servers could not load. Another server tries at once; after that the pauses double, up to half a minute, so
 * that a tablet whose file is damaged does not keep METADATA and all servers busy. One thread.
 */
final class Setbacks {
    private static final long FIRST_PAUSE_NANOS = 1_000_000_000L;
    private static final int MOST_DOUBLINGS = 5;
    private static final long LONGEST_PAUSE_NANOS = 30_000_000_000L;

    /** Longer than an outage of the file system that is about to pass, as a rule. */
    private static final long STUCK_NANOS = 60_000_000_000L;

    private final Map<TabletId, Setback> setbacks = new HashMap<>();

    /** The row's generation tells one failure, looked at again and again, from the next. */
    private record Setback(int count, long generation, long sinceNanos, long untilNanos) {}

    /** Whether a tablet whose load has failed, as its row stands, may be given to a server now. */
    boolean mayTryAgain(MetadataRow row, long nowNanos) {
        Setback last = setbacks.get(row.id());
        if (last == null || last.generation != row.generation()) {
            int count = last == null ? 0 : last.count + 1;
            long pause = count == 0
                    ? 0
                    : Math.min(FIRST_PAUSE_NANOS << Math.min(count, MOST_DOUBLINGS), LONGEST_PAUSE_NANOS);
            long since = last == null ? nowNanos : last.sinceNanos;
            last = new Setback(count, row.generation(), since, nowNanos + pause);
            setbacks.put(row.id(), last);
        }
        return nowNanos - last.untilNanos >= 0;
    }

    /** Whether the tablet rests, and all loads have failed for so long that nobody should wait for the next. */
    boolean isStuck(MetadataRow row, long nowNanos) {
        Setback last = setbacks.get(row.id());
        return last != null
                && last.generation == row.generation()
                && nowNanos - last.untilNanos < 0
                && nowNanos - last.sinceNanos >= STUCK_NANOS;
    }

    /** It is served, or something else was done about it. */
    void forget(TabletId tablet) {
        if (!setbacks.isEmpty()) {
            setbacks.remove(tablet);
        }
    }
}
