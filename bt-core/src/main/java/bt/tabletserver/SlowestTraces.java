package bt.tabletserver;

import bt.record.RequestTrace;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.locks.ReentrantLock;

/** The slowest requests of one kind: so many of the present five minutes, and as many of those before. Any thread. */
final class SlowestTraces {
    static final int MOST = 50;
    static final long PERIOD_NANOS = 300_000_000_000L;

    private static final Comparator<RequestTrace> BY_TIME = Comparator.comparingLong(RequestTrace::getTotalMicros);

    private final ReentrantLock lock = new ReentrantLock();

    /** The fastest first: it is what goes when there are too many. */
    @GuardedBy("lock") private PriorityQueue<RequestTrace> now = new PriorityQueue<>(BY_TIME);

    @GuardedBy("lock") private PriorityQueue<RequestTrace> before = new PriorityQueue<>(BY_TIME);

    @GuardedBy("lock") private long sinceNanos;

    SlowestTraces(long nowNanos) {
        sinceNanos = nowNanos;
    }

    void add(RequestTrace trace, long nowNanos) {
        lock.lock();
        try {
            turn(nowNanos);
            now.add(trace);
            if (now.size() > MOST) {
                RequestTrace unused = now.remove();
            }
        } finally {
            lock.unlock();
        }
    }

    List<RequestTrace> all(long nowNanos) {
        lock.lock();
        try {
            turn(nowNanos);
            List<RequestTrace> all = new ArrayList<>(now);
            all.addAll(before);
            return all;
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock") private void turn(long nowNanos) {
        long elapsed = nowNanos - sinceNanos;
        if (elapsed > PERIOD_NANOS) {
            before = elapsed > 2 * PERIOD_NANOS ? new PriorityQueue<>(BY_TIME) : now;
            now = new PriorityQueue<>(BY_TIME);
            sinceNanos = nowNanos;
        }
    }
}
