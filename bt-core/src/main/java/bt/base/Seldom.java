package bt.base;

import static bt.base.Check.checkArgument;

import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** How often a log is told of what anybody out there can cause: so many times a minute, and then how many times it was not. Any thread. */
public final class Seldom {
    private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final Clock clock;
    private final int mostAMinute;
    private long minuteBegan;
    private int said;
    private long unsaid;

    public Seldom(Clock clock, int mostAMinute) {
        checkArgument(mostAMinute > 0, "%d times a minute", mostAMinute);
        this.clock = clock;
        this.mostAMinute = mostAMinute;
        this.minuteBegan = clock.nanos();
    }

    /** What the line ends with if it is to be written: how many were not since the last one, nothing if all were. Empty if this one is not. */
    public synchronized Optional<String> remark() {
        long now = clock.nanos();
        if (now - minuteBegan >= MINUTE_NANOS) {
            minuteBegan = now;
            said = 0;
        }
        if (said == mostAMinute) {
            unsaid++;
            return Optional.empty();
        }
        said++;
        String rest = unsaid == 0 ? "" : " (" + unsaid + " more before it were not written)";
        unsaid = 0;
        return Optional.of(rest);
    }
}
