package bt.examples.chaos;

import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;

/** While a quota may be reached: from when somebody begins to set it until it is lifted, and all servers could hear of that. Any thread. */
final class QuotaTime {
    /** A server may be paused, or cut off from ZooKeeper, and hears of a new schema when it is back. */
    static final long HEAR_NANOS = 60_000_000_000L;

    private final AtomicLong setters = new AtomicLong();
    private volatile OptionalLong liftedNanos = OptionalLong.empty();

    void begins() {
        setters.incrementAndGet();
    }

    void isLifted(long nanos) {
        liftedNanos = OptionalLong.of(nanos);
        setters.decrementAndGet();
    }

    /** Asked when it has ended. */
    boolean mayReject(long beginNanos) {
        return setters.get() > 0 || (liftedNanos.isPresent() && beginNanos - liftedNanos.getAsLong() <= HEAR_NANOS);
    }
}
