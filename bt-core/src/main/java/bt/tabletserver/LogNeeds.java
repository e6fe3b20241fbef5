package bt.tabletserver;

import bt.tablet.Frozen;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * From which segment on the commit log is needed: by changes that are in memtables alone. What clients may ask of writes
 * that are in files is in a file too. Owned by the commit thread.
 */
final class LogNeeds {
    private final Map<HostedTablet, Pins> tablets = new LinkedHashMap<>();

    private long current = 1;

    /** The log is at this segment now. */
    void reached(long segment) {
        current = Math.max(current, segment);
    }

    /** Something of the tablet is in this segment and in the memtable that takes its writes. */
    void wrote(HostedTablet tablet, long segment) {
        Pins pins = tablets.computeIfAbsent(tablet, first -> new Pins());
        if (pins.active == Pins.NONE) {
            pins.active = segment;
        }
    }

    /** All of that memtable was appended again. */
    void copied(HostedTablet tablet, long segment) {
        tablets.computeIfAbsent(tablet, first -> new Pins()).active = segment;
    }

    void froze(HostedTablet tablet, Frozen frozen) {
        Pins pins = tablets.computeIfAbsent(tablet, first -> new Pins());
        pins.frozen.add(new FrozenPin(frozen, pins.active));
        pins.active = Pins.NONE;
    }

    /** The oldest segment that has what is in memory alone. */
    long oldest() {
        tablets.entrySet().removeIf(entry -> entry.getValue().isOver(entry.getKey()));
        return tablets.values().stream().mapToLong(Pins::oldest).min().orElse(current);
    }

    /** Tablets whose present memtable has something in this segment or an older one, while nothing older is frozen. */
    List<HostedTablet> pinnedByActive(long segment) {
        return tablets.entrySet().stream()
                .filter(entry -> entry.getValue().frozen.isEmpty() && entry.getValue().active <= segment)
                .map(Map.Entry::getKey)
                .toList();
    }

    private static final class Pins {
        private static final long NONE = Long.MAX_VALUE;

        private final Deque<FrozenPin> frozen = new ArrayDeque<>();
        private long active = NONE;

        /** Forgets what is in files by now; true when nothing is left. */
        private boolean isOver(HostedTablet tablet) {
            // Also of a tablet that is closed: its row may not name the files yet.
            while (!frozen.isEmpty() && !tablet.unwritten().contains(frozen.peek().frozen)) {
                frozen.remove();
            }
            return frozen.isEmpty() && (active == NONE || tablet.tablet().isClosed());
        }

        /** The older a memtable is the older are its segments. */
        private long oldest() {
            return frozen.isEmpty() ? active : frozen.peek().segment;
        }
    }

    private record FrozenPin(Frozen frozen, long segment) {}
}
