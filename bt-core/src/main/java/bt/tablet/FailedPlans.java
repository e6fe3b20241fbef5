package bt.tablet;

import bt.record.FileReference;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Files that could not be compacted, and until when nobody tries again. Any thread. */
final class FailedPlans {
    private static final long FIRST_REST_NANOS = 10_000_000_000L;
    private static final long LONGEST_REST_NANOS = 600_000_000_000L;

    @GuardedBy("this") private final Map<FileReference, Rest> rests = new HashMap<>();

    private record Rest(long untilNanos, long nanos) {}

    synchronized void add(CompactionPlan plan, long nowNanos) {
        for (FileReference file : plan.inputs()) {
            Rest before = rests.get(file);
            long nanos = before == null ? FIRST_REST_NANOS : Math.min(2 * before.nanos, LONGEST_REST_NANOS);
            rests.put(file, new Rest(nowNanos + nanos, nanos));
        }
    }

    synchronized boolean rests(CompactionPlan plan, long nowNanos) {
        for (FileReference file : plan.inputs()) {
            Rest rest = rests.get(file);
            if (rest != null && rest.untilNanos - nowNanos > 0) {
                return true;
            }
        }
        return false;
    }

    /** Forgets the files that the tablet has no more. */
    synchronized void retain(List<FileReference> present) {
        rests.keySet().retainAll(present);
    }

    synchronized boolean isEmpty() {
        return rests.isEmpty();
    }
}
