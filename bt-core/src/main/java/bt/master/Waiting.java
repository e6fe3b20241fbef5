package bt.master;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What sweeps found that nothing needs, and since when: it goes when a sweep finds it so again a grace later. A new master
 * begins to count anew. One thread.
 */
final class Waiting {
    private final Map<String, Long> sinceNanos = new HashMap<>();
    private final long graceNanos;

    Waiting(long graceMillis) {
        this.graceNanos = graceMillis * 1_000_000;
    }

    /** Of all paths that this sweep looked at only these are needed by nobody: others begin to wait anew, if ever. */
    void retain(Predicate<String> looked, Set<String> unneeded) {
        sinceNanos.keySet().removeIf(path -> looked.test(path) && !unneeded.contains(path));
    }

    /** How long the path still waits, from now on if it does not yet; 0 when its time is over. */
    long millis(String path, long nowNanos, boolean remember) {
        Long since = sinceNanos.get(path);
        if (since == null && remember) {
            sinceNanos.put(path, nowNanos);
        }
        long left = graceNanos - (nowNanos - (since == null ? nowNanos : since));
        return Math.max(0, (left + 999_999) / 1_000_000);
    }

    void forget(String path) {
        sinceNanos.remove(path);
    }

    /** Everything that waits. */
    Set<String> paths() {
        return new HashSet<>(sinceNanos.keySet());
    }
}
