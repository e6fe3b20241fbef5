package bt.testing;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Locale;

/** What happened: all of it as one number, the end of it in words. */
final class SimTrace {
    private static final int REMEMBERED = 100;

    private record Event(long nanos, String what) {}

    private final long seed;
    private final Deque<Event> events = new ArrayDeque<>();
    private long digest = 17;

    SimTrace(long seed) {
        this.seed = seed;
    }

    /** Equal for two runs only if the same happened at the same times, as far as 64 bits tell. */
    long digest() {
        return digest;
    }

    void step(long nanos, String worker) {
        digest = (digest * 31 + worker.hashCode()) * 31 + nanos;
    }

    /** Something that was said or written, in its bytes. */
    void content(int hash) {
        digest = digest * 31 + hash;
    }

    void add(long nanos, String event) {
        step(nanos, event);
        events.addLast(new Event(nanos, event));
        if (events.size() > REMEMBERED) {
            events.removeFirst();
        }
    }

    String report(long nanos, String what, Collection<SimWorker> workers) {
        StringBuilder text = new StringBuilder();
        text.append("seed ")
                .append(seed)
                .append(" at ")
                .append(time(nanos))
                .append(": ")
                .append(what);
        text.append("\n  workers:");
        for (SimWorker worker : workers) {
            text.append("\n    ").append(worker).append(" waits for ").append(worker.waitsFor);
        }
        text.append("\n  last events:");
        for (Event event : events) {
            text.append("\n    ").append(time(event.nanos())).append(' ').append(event.what());
        }
        return text.append('\n').toString();
    }

    private static String time(long nanos) {
        return String.format(Locale.ROOT, "%.6f s", nanos / 1e9);
    }
}
