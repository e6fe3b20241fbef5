package bt.master;

import java.util.HashMap;
import java.util.Map;

/**
 * Servers that the master has brought to their end, or may have, in the last minute: one in ten of all, and one always. Were
 * it wrong about them, all would end else. One thread.
 */
final class FewAMinute {
    private static final long MINUTE_NANOS = 60_000_000_000L;
    private static final int SHARE = 10;

    /** By epoch, since when. */
    private final Map<Long, Long> servers = new HashMap<>();

    /** Whether another may be among them, where so many live. */
    boolean hasRoom(int living, long nowNanos) {
        servers.values().removeIf(since -> nowNanos - since >= MINUTE_NANOS);
        return servers.size() < Math.max(1, living / SHARE);
    }

    void add(Member server, long nowNanos) {
        servers.putIfAbsent(server.epoch(), nowNanos);
    }

    /** Whether this one is among them, as it is from now on where there is room. */
    boolean admits(Member server, int living, long nowNanos) {
        boolean hasRoom = hasRoom(living, nowNanos);
        if (hasRoom) {
            add(server, nowNanos);
        }
        return servers.containsKey(server.epoch());
    }
}
