package bt.tabletserver;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Of which tablets' requests rows are kept: of those that get much of what would be too much, the busiest. A tablet's rows take
 * up to 400 KB, where they are as long as rows may be, and a server has thousands of tablets: of all of them who asks for one
 * long row in each would take its memory.
 */
final class SampledTraffic {
    /** Of one server: more are not too busy at a time, or they share more than one server's processors can do. */
    static final int MOST = 32;

    /** It takes two windows until the rows tell something; whoever gets this part of too much has some of them by then. */
    private static final int PART = 4;

    private SampledTraffic() {}

    /** What one tablet is asked for, and how much of it would be too much; 0: nothing would. */
    record Share(Traffic traffic, long tooMuchPerMinute) {}

    private record Busy(Traffic traffic, long perMinute) {}

    /** {@code all} tablets of the server. One thread. */
    static void choose(List<Share> all, long nowNanos) {
        List<Busy> busy = new ArrayList<>();
        for (Share share : all) {
            long perMinute = share.traffic.perMinute(nowNanos);
            if (share.tooMuchPerMinute > 0 && perMinute > share.tooMuchPerMinute / PART) {
                busy.add(new Busy(share.traffic, perMinute));
            } else {
                share.traffic.forget();
            }
        }
        busy.sort(Comparator.comparingLong(Busy::perMinute).reversed());
        for (int i = 0; i < busy.size(); i++) {
            Traffic traffic = busy.get(i).traffic;
            if (i < MOST) {
                traffic.sample(nowNanos);
            } else {
                traffic.forget();
            }
        }
    }
}
