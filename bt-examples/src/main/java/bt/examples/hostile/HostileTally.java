package bt.examples.hostile;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** What came of it so far. Any thread. */
final class HostileTally {
    private static final int MOST_WORDS = 20;

    private final AtomicLong closed = new AtomicLong();
    private final AtomicInteger anomalies = new AtomicInteger();
    private final Collection<String> words = new ConcurrentLinkedQueue<>();

    /** A connection of a bad caller was. */
    void closed() {
        closed.incrementAndGet();
    }

    void anomaly(String what) {
        if (anomalies.incrementAndGet() <= MOST_WORDS) {
            words.add(what);
        }
    }

    /** So many that more would say nothing new. */
    boolean isEnough() {
        return anomalies.get() >= MOST_WORDS;
    }

    long closedConnections() {
        return closed.get();
    }

    int anomalies() {
        return anomalies.get();
    }

    /** Of the first of them. */
    List<String> words() {
        return new ArrayList<>(words);
    }
}
