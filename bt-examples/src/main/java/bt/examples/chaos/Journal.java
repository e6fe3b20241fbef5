package bt.examples.chaos;

import bt.base.Clock;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What happened to whom, and when: told as it happens, and kept. One thread. */
final class Journal {
    private final Clock clock;
    private final PrintStream out;
    private final long beganNanos;
    private final List<Entry> entries = new ArrayList<>();

    Journal(Clock clock, PrintStream out) {
        this.clock = clock;
        this.out = out;
        this.beganNanos = clock.nanos();
    }

    /** One line. */
    record Entry(long millis, String event) {}

    void say(String event) {
        Entry entry = new Entry((clock.nanos() - beganNanos) / 1_000_000, event);
        entries.add(entry);
        out.println(String.format(Locale.ROOT, "%9.3f s  %s", entry.millis() / 1_000.0, event));
    }

    List<Entry> entries() {
        return List.copyOf(entries);
    }
}
