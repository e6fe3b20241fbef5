package bt.tabletserver;

import java.util.HashMap;
import java.util.Map;

/** How many of something each host has; who has none takes no room. One thread. */
final class HostCounts {
    private final Map<String, Integer> counts = new HashMap<>();

    int of(String host) {
        return counts.getOrDefault(host, 0);
    }

    void add(String host, int more) {
        int has = of(host) + more;
        if (has == 0) {
            counts.remove(host);
        } else {
            counts.put(host, has);
        }
    }
}
