package bt.master;

import bt.base.OverloadedException;
import java.util.HashMap;
import java.util.Map;

/**
 * Places for what hosts have asked for and the master is at, longer than it takes to hear of it. Of one host no more are taken than
 * there are left: half of them where it is alone. Owned by the master's thread.
 */
final class HostPlaces {
    private final int most;
    private final String what;
    private final Map<String, Integer> taken = new HashMap<>();
    private int all;

    /** So many of what is named. */
    HostPlaces(int most, String what) {
        this.most = most;
        this.what = what;
    }

    /** OVERLOADED, to be tried again after so long, where as many of the host are taken as are left. */
    void take(String host, long againMillis) throws OverloadedException {
        int own = taken.getOrDefault(host, 0);
        if (own >= most - all) {
            throw new OverloadedException(
                    "master: " + all + " " + what + " are under way, and no more are taken of this host", againMillis);
        }
        taken.put(host, own + 1);
        all++;
    }

    /** One is over. */
    void giveBack(String host) {
        all--;
        taken.computeIfPresent(host, (known, own) -> own == 1 ? null : own - 1);
    }
}
