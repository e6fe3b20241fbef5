package bt.tabletserver;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Since when something that is tried until it is done does not succeed, and why; nothing where it does. Any thread. */
final class Trouble {
    /** A shorter one is a bad moment, of which nobody need hear. */
    private static final long LASTING_NANOS = 10_000_000_000L;

    private volatile @Nullable Failure first;

    private record Failure(String why, long sinceNanos) {}

    /** Another attempt has failed. Only who tries, one at a time. */
    void failed(String why, long nowNanos) {
        if (first == null) {
            first = new Failure(why, nowNanos);
        }
    }

    /** It is done. Only who tries, one at a time. */
    void over() {
        first = null;
    }

    /** Whether the last attempt failed. */
    boolean isNow() {
        return first != null;
    }

    /** Why, if it has been so for long. */
    Optional<String> lasting(long nowNanos) {
        Failure failure = first;
        return failure != null && nowNanos - failure.sinceNanos >= LASTING_NANOS
                ? Optional.of(failure.why)
                : Optional.empty();
    }
}
