package bt.testing;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Locale;

/** What happened: all of it as one number, and in words all but what is too long ago. */
final class SimTrace {
    /** More than a life of the campaigns has, by far. */
    private static final int REMEMBERED = 200_000;
    /** Of which a failure says. */
    private static final int LAST = 100;

    private final long seed;
    private final Deque<SimEvent> events = new ArrayDeque<>();
    private long digest = 17;

    SimTrace(long seed) {
        this.seed = seed;
    }

    /** Equal for two runs only if the same happened at the same times, as far as 64 bits tell. */
    long digest() {
        return digest;
    }

    List<SimEvent> events() {
        return List.copyOf(events);
    }

    void step(long nanos, String worker) {
        digest = (digest * 31 + worker.hashCode()) * 31 + nanos;
    }

    /** Something that was said or written, in its bytes. */
    void content(int hash) {
        digest = digest * 31 + hash;
    }

    void add(SimEvent event) {
        step(event.nanos(), event.what());
        events.addLast(event);
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
        events.stream().skip(Math.max(0, events.size() - LAST)).forEach(event -> text.append("\n    ")
                .append(time(event.nanos()))
                .append(' ')
                .append(event.what()));
        return text.append('\n').toString();
    }

    private static String time(long nanos) {
        return String.format(Locale.ROOT, "%.6f s", nanos / 1e9);
    }
}
