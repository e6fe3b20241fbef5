package bt.tablet;

import bt.record.FileReference;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Files that could not be compacted, and until when nobody tries again. Any thread. */
final class FailedPlans {
    @GuardedBy("this") private final Map<FileReference, Rest> rests = new HashMap<>();

    /** What the plan that failed last was to compact. */
    @GuardedBy("this") private List<FileReference> last = List.of();

    synchronized void add(CompactionPlan plan, long nowNanos) {
        last = plan.inputs();
        for (FileReference file : last) {
            rests.put(file, Rest.after(Optional.ofNullable(rests.get(file)), nowNanos));
        }
    }

    synchronized boolean rests(CompactionPlan plan, long nowNanos) {
        return leftNanos(plan.inputs(), nowNanos) > 0;
    }

    /** For how many nanoseconds the plan rests still that failed last, whatever others do; 0: it does not. */
    synchronized long leftOfLastNanos(long nowNanos) {
        return leftNanos(last, nowNanos);
    }

    private synchronized long leftNanos(List<FileReference> files, long nowNanos) {
        long left = 0;
        for (FileReference file : files) {
            Rest rest = rests.get(file);
            if (rest != null) {
                left = Math.max(left, rest.untilNanos() - nowNanos);
            }
        }
        return left;
    }

    /** Forgets the files that the tablet has no more. */
    synchronized void retain(List<FileReference> present) {
        rests.keySet().retainAll(present);
    }

    synchronized boolean isEmpty() {
        return rests.isEmpty();
    }
}
