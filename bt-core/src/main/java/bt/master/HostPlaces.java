package bt.master;

import bt.base.HostCounts;
import bt.base.OverloadedException;

/**
 * Places for what hosts have asked for and the master is at, longer than it takes to hear of it. Of one host no more are taken than
 * there are left: half of them where it is alone. Owned by the master's thread.
 */
final class HostPlaces {
    private final int most;
    private final String what;
    private final HostCounts taken = new HostCounts();

    /** So many of what is named. */
    HostPlaces(int most, String what) {
        this.most = most;
        this.what = what;
    }

    /** OVERLOADED, to be tried again after so long, where as many of the host are taken as are left. */
    void take(String host, long againMillis) throws OverloadedException {
        if (taken.of(host) >= most - taken.all()) {
            throw new OverloadedException(
                    "master: " + taken.all() + " " + what + " are under way, and no more are taken of this host",
                    againMillis);
        }
        taken.add(host, 1);
    }

    /** One is over. */
    void giveBack(String host) {
        taken.add(host, -1);
    }
}
