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

    synchronized void add(CompactionPlan plan, long nowNanos) {
        for (FileReference file : plan.inputs()) {
            rests.put(file, Rest.after(Optional.ofNullable(rests.get(file)), nowNanos));
        }
    }

    synchronized boolean rests(CompactionPlan plan, long nowNanos) {
        for (FileReference file : plan.inputs()) {
            Rest rest = rests.get(file);
            if (rest != null && !rest.isOver(nowNanos)) {
                return true;
            }
        }
        return false;
    }

    /** For how many nanoseconds the last of them rests still; 0: none does. */
    synchronized long leftNanos(long nowNanos) {
        return rests.values().stream()
                .mapToLong(rest -> Math.max(0, rest.untilNanos() - nowNanos))
                .max()
                .orElse(0);
    }

    /** Forgets the files that the tablet has no more. */
    synchronized void retain(List<FileReference> present) {
        rests.keySet().retainAll(present);
    }

    synchronized boolean isEmpty() {
        return rests.isEmpty();
    }
}
