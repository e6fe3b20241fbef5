package bt.base;

import java.util.HashMap;
import java.util.Map;

/** How many of something each host has, and all together; who has none takes no room. One thread. */
public final class HostCounts {
    private final Map<String, Integer> counts = new HashMap<>();
    private int all;

    /** Those of one host. */
    public int of(String host) {
        return counts.getOrDefault(host, 0);
    }

    /** Those of all hosts. */
    public int all() {
        return all;
    }

    /** It has so many more, or fewer. */
    public void add(String host, int more) {
        all += more;
        int has = of(host) + more;
        if (has == 0) {
            counts.remove(host);
        } else {
            counts.put(host, has);
        }
    }
}
