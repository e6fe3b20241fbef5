package bt.tabletserver;

import bt.base.HostCounts;
import bt.tablet.OpenWrite;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.OptionalLong;

/**
 * Of clients that a server has no place for: the number below which nobody knows what became of their writes, and whose they were.
 * For as long as such a client may still ask it is not forgotten as well, or its retry would be applied once more: who brings new
 * clients asks for room first. One thread.
 */
final class ForgottenClients {
    private final int most;

    /** About 150 bytes each. The first first. */
    private final LinkedHashMap<Long, Below> clients = new LinkedHashMap<>();

    private final HostCounts hosts = new HostCounts();

    /** For so many there is room; what tablets bring that come is taken beyond, up to twice that. */
    ForgottenClients(int most) {
        this.most = most;
    }

    /** When the client was heard of last, and from which host. */
    private record Below(long number, String host, long micros) {
        Below and(Below later) {
            return new Below(Math.max(number, later.number), later.host, Math.max(micros, later.micros));
        }
    }

    int size() {
        return clients.size();
    }

    int of(String host) {
        return hosts.of(host);
    }

    OptionalLong below(long client) {
        Below below = clients.get(client);
        return below == null ? OptionalLong.empty() : OptionalLong.of(below.number);
    }

    void add(long client, long unknownBelow, String host, long micros) {
        Below now = new Below(unknownBelow, host, micros);
        Below before = clients.get(client);
        if (before != null) {
            hosts.add(before.host, -1);
        }
        clients.put(client, before == null ? now : before.and(now));
        hosts.add(host, 1);
        if (clients.size() > 2 * most) {
            removeFirst();
        }
    }

    /** It has a place again. */
    OptionalLong remove(long client) {
        Below below = clients.remove(client);
        if (below == null) {
            return OptionalLong.empty();
        }
        hosts.add(below.host, -1);
        return OptionalLong.of(below.number);
    }

    /** Those in whose place others may be forgotten: their clients ask no more. */
    void dropOld(long nowMicros) {
        while (!clients.isEmpty() && nowMicros - clients.values().iterator().next().micros >= OpenWrite.KEPT_MICROS) {
            removeFirst();
        }
    }

    private void removeFirst() {
        Iterator<Below> first = clients.values().iterator();
        hosts.add(first.next().host, -1);
        first.remove();
    }
}
