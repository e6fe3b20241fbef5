package bt.examples.chaos;

import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * For how long operations waited, by the fault that made them wait. A client that waits is not told why: an operation is put
 * down to the first fault that began while it waited, or else to the last one that had begun. Any thread.
 */
final class Availability {
    private static final long WAIT_MILLIS = 100;

    private final ConcurrentLinkedQueue<Wait> waits = new ConcurrentLinkedQueue<>();

    private record Wait(long beginNanos, long endNanos) {
        long millis() {
            return (endNanos - beginNanos) / 1_000_000;
        }
    }

    /** When a fault began. */
    record Onset(FaultKind kind, long nanos) {}

    /** An operation, answered or given up. Those of less than {@value #WAIT_MILLIS} ms did not wait. */
    void operation(long beginNanos, long endNanos) {
        Wait wait = new Wait(beginNanos, endNanos);
        if (wait.millis() >= WAIT_MILLIS) {
            waits.add(wait);
        }
    }

    /** The longest wait of each kind that there was; 0 where nobody waited. */
    Map<FaultKind, Long> longestMillis(List<Onset> onsets) {
        Map<FaultKind, Long> longest = new EnumMap<>(FaultKind.class);
        onsets.forEach(onset -> longest.put(onset.kind(), 0L));
        List<Onset> inOrder =
                onsets.stream().sorted(Comparator.comparingLong(Onset::nanos)).toList();
        for (Wait wait : waits) {
            Onset blamed = null;
            for (Onset onset : inOrder) {
                boolean before = onset.nanos() <= wait.beginNanos();
                boolean during = !before && onset.nanos() <= wait.endNanos();
                if (before || (during && (blamed == null || blamed.nanos() <= wait.beginNanos()))) {
                    blamed = onset;
                }
                if (during) {
                    break;
                }
            }
            if (blamed != null) {
                longest.merge(blamed.kind(), wait.millis(), Math::max);
            }
        }
        return longest;
    }
}
