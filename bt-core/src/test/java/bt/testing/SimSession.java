package bt.testing;

import java.util.ArrayList;
import java.util.List;

/** A session as the lock service knows it, and what its client believes of it. */
final class SimSession {
    final SimLockClient client;
    final long timeoutNanos;
    long heardNanos;
    /** Decided by the service; the client learns it with its next contact. */
    boolean expired;

    long expiredNanos;
    /** The client is gone, or wants no more of it: nothing is heard of it from now on. */
    boolean abandoned;

    private final List<Runnable> late = new ArrayList<>();

    SimSession(SimLockClient client, long timeoutNanos, long nowNanos) {
        this.client = client;
        this.timeoutNanos = timeoutNanos;
        this.heardNanos = nowNanos;
    }

    void addLate(Runnable transaction) {
        late.add(transaction);
    }

    /** What is still on its way: a session's requests are done in their order, or never. */
    void settle() {
        List<Runnable> arrived = List.copyOf(late);
        late.clear();
        if (!expired) {
            arrived.forEach(Runnable::run);
        }
    }
}
