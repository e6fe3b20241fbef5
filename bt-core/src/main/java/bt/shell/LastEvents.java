package bt.shell;

import bt.client.TabletEvent;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/** The newest of the events that were added, at most so many: a table may have had millions. One thread. */
final class LastEvents {
    private static final Comparator<Numbered> OLDEST_FIRST =
            Comparator.comparingLong((Numbered each) -> each.event().micros()).thenComparingLong(Numbered::number);

    private final int most;
    private final PriorityQueue<Numbered> newest = new PriorityQueue<>(OLDEST_FIRST);
    private long added;

    LastEvents(int most) {
        this.most = most;
    }

    /** Of events of one time the one that was added first counts as the older. */
    private record Numbered(TabletEvent event, long number) {}

    void add(TabletEvent event) {
        newest.add(new Numbered(event, added++));
        if (newest.size() > most) {
            newest.remove();
        }
    }

    List<TabletEvent> oldestFirst() {
        return newest.stream().sorted(OLDEST_FIRST).map(Numbered::event).toList();
    }
}
