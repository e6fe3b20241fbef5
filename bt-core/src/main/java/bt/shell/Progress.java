package bt.shell;

import bt.base.Bytes;
import bt.base.Clock;
import bt.client.TabletInfo;
import java.io.PrintStream;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Says every two seconds how far a long command is, where talk goes. One thread. */
final class Progress {
    private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final PrintStream err;
    private final Clock clock;
    private long told;

    Progress(PrintStream err, Clock clock) {
        this.err = err;
        this.clock = clock;
        told = clock.nanos();
    }

    /** Says it if it is time to. */
    void say(Supplier<String> text) {
        long now = clock.nanos();
        if (now - told >= EVERY_NANOS) {
            told = now;
            err.println(text.get());
        }
    }

    /** How many of the tablets, in order of their rows, lie before a row. */
    static String tablets(List<TabletInfo> tablets, Bytes row) {
        long before = tablets.stream()
                .filter(tablet -> isBefore(tablet.range().end(), row))
                .count();
        return before + " of " + tablets.size() + (tablets.size() == 1 ? " tablet" : " tablets");
    }

    private static boolean isBefore(Optional<Bytes> end, Bytes row) {
        return end.isPresent() && end.get().compareTo(row) <= 0;
    }
}
