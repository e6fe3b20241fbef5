package bt.examples.chaos;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/** What clients were told, and what of it was not so. Any thread. */
final class Tally {
    private final AtomicLong acknowledged = new AtomicLong();
    private final AtomicLong unknown = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final AtomicLong rejected = new AtomicLong();
    private final QuotaTime quota = new QuotaTime();
    private final AtomicLong lost = new AtomicLong();
    private final Collection<String> anomalies = new ConcurrentLinkedQueue<>();

    void acknowledged() {
        acknowledged.incrementAndGet();
    }

    /** A write whose outcome was not told. */
    void unknown() {
        unknown.incrementAndGet();
    }

    /** A write that was said not to have been applied. */
    void refused() {
        refused.incrementAndGet();
    }

    /** From now on somebody sets a quota, until it is known to be lifted. */
    void quotaBegins() {
        quota.begins();
    }

    /** At that monotonic time. */
    void quotaIsLifted(long nanos) {
        quota.isLifted(nanos);
    }

    /** Whether a quota may have kept out a write that began then, and has ended. */
    boolean mayBeRejected(long beginNanos) {
        return quota.mayReject(beginNanos);
    }

    /** Something that a quota forbids. */
    void rejected() {
        rejected.incrementAndGet();
    }

    long rejectedWrites() {
        return rejected.get();
    }

    /** Acknowledged, or referred to by something acknowledged, and not there. */
    void lost(String what) {
        lost.incrementAndGet();
        anomalies.add("lost: " + what);
    }

    void anomaly(String what) {
        anomalies.add(what);
    }

    long acknowledgedWrites() {
        return acknowledged.get();
    }

    long unknownWrites() {
        return unknown.get();
    }

    long refusedWrites() {
        return refused.get();
    }

    long lostWrites() {
        return lost.get();
    }

    /** Without those that tell of something lost. */
    long anomalyCount() {
        return anomalies.size() - lost.get();
    }

    /** All of them, in words. */
    List<String> complaints() {
        return new ArrayList<>(anomalies);
    }
}
