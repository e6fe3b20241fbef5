package bt.protocol;

import bt.base.Clock;
import bt.record.ServerStatus;
import bt.record.TabletReport;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A server's tablets for whoever is not its master: as they all were when it began to ask, in parts where one answer has no room for them.
 * Nothing comes or goes between the parts. A list of more than one is kept while its parts are asked for, or until others are: whoever
 * asks for the next of one that is forgotten has to begin anew. One thread.
 */
public final class ToldLists {
    /** Whoever asks for more of them at a time has those forgotten that are asked for least. */
    private static final int MOST = 4;

    private static final long UNASKED_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final Clock clock;
    private final int partBytes;

    /** The one that was asked for last behind all others. */
    private final List<Told> lists = new ArrayList<>();

    /** Of the next part. */
    private long number;

    public ToldLists(Clock clock) {
        this(clock, TabletListing.PART_BYTES);
    }

    ToldLists(Clock clock, int partBytes) {
        this.clock = clock;
        this.partBytes = partBytes;
    }

    /** Leaves in an answer that has all tablets as many as it has room for. */
    public void begin(ServerStatus answer) {
        forget();
        List<List<TabletReport>> parts = cut(answer.getTablets());
        if (parts.size() > 1) {
            Told list = new Told(number, parts, clock.nanos());
            number += parts.size();
            if (lists.size() == MOST) {
                lists.remove(0);
            }
            lists.add(list);
            tell(list, 0, answer);
        }
    }

    /** Puts into an answer the tablets behind those that were told with this number; false where they are forgotten. */
    public boolean goOn(long heard, ServerStatus answer) {
        forget();
        for (Told list : lists) {
            long next = heard - list.number + 1;
            if (next >= 1 && next < list.parts.size()) {
                lists.remove(list);
                lists.add(list.askedAt(clock.nanos()));
                tell(list, (int) next, answer);
                return true;
            }
        }
        return false;
    }

    /** Lets go of what nobody has asked for in a while. */
    public void forget() {
        long now = clock.nanos();
        lists.removeIf(list -> now - list.askedNanos > UNASKED_NANOS);
    }

    private static void tell(Told list, int part, ServerStatus answer) {
        long told = list.number + part;
        answer.setTablets(list.parts.get(part));
        answer.setList(told);
        answer.setListedBefore(part == 0 ? TabletListing.NOTHING_HEARD : told - 1);
        answer.setListGoesOn(part < list.parts.size() - 1);
    }

    /** Each has one tablet at least. */
    private List<List<TabletReport>> cut(List<TabletReport> tablets) {
        List<List<TabletReport>> parts = new ArrayList<>();
        int from = 0;
        int left = partBytes;
        for (int i = 0; i < tablets.size(); i++) {
            int bytes = TabletListing.bytes(tablets.get(i));
            if (bytes > left && i > from) {
                parts.add(tablets.subList(from, i));
                from = i;
                left = partBytes;
            }
            left -= bytes;
        }
        parts.add(tablets.subList(from, tablets.size()));
        return parts;
    }

    private record Told(long number, List<List<TabletReport>> parts, long askedNanos) {
        private Told askedAt(long nanos) {
            return new Told(number, parts, nanos);
        }
    }
}
