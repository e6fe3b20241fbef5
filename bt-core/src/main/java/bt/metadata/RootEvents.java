package bt.metadata;

import bt.record.RootEvent;
import java.util.ArrayList;
import java.util.List;

/**
 * What happened to the root tablet: the newest events of each of both histories, in the order in which they were written. Few and short,
 * for they lie in a file of the lock service that every client reads. A pure function.
 */
final class RootEvents {
    /** Of each kind, so that compactions leave the tablet its loads and moves. */
    static final int KEPT = 20;

    static final int MAX_CHARS = 200;

    private RootEvents() {}

    /** With one more, and without the oldest of its kind where there are too many. */
    static List<RootEvent> with(List<RootEvent> before, RowEvent event, long micros) {
        boolean ofFiles = event.history().equals(MetadataSchema.FILE_EVENTS_COLUMN);
        List<RootEvent> events = new ArrayList<>(before);
        String what = event.what();
        events.add(new RootEvent(micros, what.substring(0, Math.min(what.length(), MAX_CHARS)), ofFiles));
        long tooMany =
                events.stream().filter(kept -> kept.getOfFiles() == ofFiles).count() - KEPT;
        for (int i = 0; tooMany > 0; ) {
            if (events.get(i).getOfFiles() == ofFiles) {
                RootEvent unused = events.remove(i);
                tooMany--;
            } else {
                i++;
            }
        }
        return List.copyOf(events);
    }
}
