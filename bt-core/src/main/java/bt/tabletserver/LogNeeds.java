package bt.tabletserver;

import bt.tablet.Frozen;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

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
        pins.frozen.add(new FrozenPin(tablet, frozen, pins.active));
        pins.active = Pins.NONE;
    }

    /** The oldest segment that has what is in memory alone. */
    long oldest() {
        tablets.entrySet().removeIf(entry -> entry.getValue().isOver(entry.getKey()));
        return tablets.values().stream().mapToLong(Pins::oldest).min().orElse(current);
    }

    /** Tablets whose present memtable has something in this segment or an older one, while nothing older is frozen; who has the oldest first. */
    List<HostedTablet> pinnedByActive(long segment) {
        return pinned(pins -> pins.frozen.isEmpty() && pins.active <= segment);
    }

    /** The same where something older is frozen. */
    List<HostedTablet> pinnedBehindFrozen(long segment) {
        return pinned(pins -> !pins.frozen.isEmpty() && pins.active <= segment);
    }

    /** From which segment on the present memtable of the tablet needs the log. */
    long active(HostedTablet tablet) {
        Pins pins = tablets.get(tablet);
        return pins == null ? Pins.NONE : pins.active;
    }

    private List<HostedTablet> pinned(Predicate<Pins> which) {
        return tablets.entrySet().stream()
                .filter(entry -> which.test(entry.getValue()))
                .sorted(Comparator.comparingLong(entry -> entry.getValue().active))
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Memtables that are frozen, in no file, and have something in this segment or an older one, who has the oldest first. */
    List<FrozenPin> pinnedByFrozen(long segment) {
        return tablets.values().stream()
                .flatMap(pins -> pins.frozen.stream())
                .filter(pin -> pin.segment <= segment)
                .sorted(Comparator.comparingLong(pin -> pin.segment))
                .toList();
    }

    private static final class Pins {
        private static final long NONE = Long.MAX_VALUE;

        private final Deque<FrozenPin> frozen = new ArrayDeque<>();
        private long active = NONE;

        /** Forgets what is in files by now; true when nothing is left. */
        private boolean isOver(HostedTablet tablet) {
            // Also of a tablet that is closed: its row may not name the files yet.
            while (!frozen.isEmpty() && frozen.peek().isOver()) {
                frozen.remove();
            }
            return frozen.isEmpty() && (active == NONE || tablet.tablet().isClosed());
        }

        /** An older memtable may have been appended again, a younger one not yet. */
        private long oldest() {
            long oldest = active;
            for (FrozenPin pin : frozen) {
                oldest = Math.min(oldest, pin.segment);
            }
            return oldest;
        }
    }

    /** A frozen memtable, and from which segment on its changes are in the log. */
    static final class FrozenPin {
        private final HostedTablet tablet;
        private final Frozen frozen;
        private long segment;

        private FrozenPin(HostedTablet tablet, Frozen frozen, long segment) {
            this.tablet = tablet;
            this.frozen = frozen;
            this.segment = segment;
        }

        HostedTablet tablet() {
            return tablet;
        }

        Frozen frozen() {
            return frozen;
        }

        /** Whether it is in a file that METADATA names. */
        boolean isOver() {
            return !tablet.unwritten().contains(frozen);
        }

        /** All of it was appended again, from this segment on. */
        void copied(long from) {
            segment = from;
        }
    }
}
