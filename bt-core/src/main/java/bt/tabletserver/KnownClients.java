package bt.tabletserver;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Clients, by the hosts that they write from: whoever has to be forgotten is one of the host that has most, so what one host brings
 * pushes nobody else's out. One thread.
 */
final class KnownClients {
    private final Map<Long, KnownClient> clients = new HashMap<>();

    /** Those that have clients here. */
    private final Map<String, Host> hosts = new HashMap<>();

    private final MostFirst byClients = new MostFirst(0, host -> host.clients.size());
    private final MostFirst byBytes = new MostFirst(1, host -> host.bytes);

    private int outcomes;
    private long bytes;

    private static final class Host {
        /** The one silent for longest first. */
        private final LinkedHashMap<Long, KnownClient> clients = new LinkedHashMap<>(16, 0.75f, true);

        private long bytes;

        /** In each of the heaps. */
        private final int[] places = new int[2];
    }

    /** A heap of hosts: the one that has most is found at once, for each write of a full server, however many there are. */
    private static final class MostFirst {
        private final int which;
        private final ToLongFunction<Host> measure;
        private final List<Host> heap = new ArrayList<>();

        private MostFirst(int which, ToLongFunction<Host> measure) {
            this.which = which;
            this.measure = measure;
        }

        private void add(Host host) {
            host.places[which] = heap.size();
            heap.add(host);
            moved(host);
        }

        private void remove(Host host) {
            Host last = heap.remove(heap.size() - 1);
            if (last != host) {
                put(last, host.places[which]);
                moved(last);
            }
        }

        /** It has more than before, or less. */
        private void moved(Host host) {
            int at = host.places[which];
            while (at > 0 && isMore(host, heap.get((at - 1) / 2))) {
                put(heap.get((at - 1) / 2), at);
                at = (at - 1) / 2;
            }
            for (int below = below(at); below > 0 && isMore(heap.get(below), host); below = below(at)) {
                put(heap.get(below), at);
                at = below;
            }
            put(host, at);
        }

        /** The one with more of the two below; 0 where there is none. */
        private int below(int at) {
            int left = 2 * at + 1;
            if (left >= heap.size()) {
                return 0;
            }
            return left + 1 < heap.size() && isMore(heap.get(left + 1), heap.get(left)) ? left + 1 : left;
        }

        private boolean isMore(Host one, Host other) {
            return measure.applyAsLong(one) > measure.applyAsLong(other);
        }

        private void put(Host host, int at) {
            heap.set(at, host);
            host.places[which] = at;
        }

        private KnownClient eldest() {
            return heap.get(0).clients.values().iterator().next();
        }
    }

    int size() {
        return clients.size();
    }

    int outcomes() {
        return outcomes;
    }

    /** About what the open writes hold of the heap. */
    long bytes() {
        return bytes;
    }

    int of(String host) {
        Host here = hosts.get(host);
        return here == null ? 0 : here.clients.size();
    }

    Collection<KnownClient> all() {
        return clients.values();
    }

    @Nullable KnownClient find(long id) {
        return clients.get(id);
    }

    KnownClient add(long id, String host) {
        KnownClient client = new KnownClient(id, host);
        clients.put(id, client);
        enter(client, host);
        return client;
    }

    void remove(KnownClient client) {
        clients.remove(client.id());
        leave(client);
    }

    void move(KnownClient client, String host) {
        leave(client);
        enter(client, host);
    }

    private void enter(KnownClient client, String name) {
        Host host = hosts.computeIfAbsent(name, first -> come(new Host()));
        host.clients.put(client.id(), client);
        host.bytes += client.bytes;
        client.host = name;
        moved(host);
    }

    private void leave(KnownClient client) {
        Host host = host(client);
        host.clients.remove(client.id());
        host.bytes -= client.bytes;
        moved(host);
        if (host.clients.isEmpty()) {
            hosts.remove(client.host());
            byClients.remove(host);
            byBytes.remove(host);
        }
    }

    private Host come(Host host) {
        byClients.add(host);
        byBytes.add(host);
        return host;
    }

    private void moved(Host host) {
        byClients.moved(host);
        byBytes.moved(host);
    }

    private Host host(KnownClient client) {
        return requireNonNull(hosts.get(client.host()), client.host());
    }

    /** Of its host's clients it has been silent for the shortest time now. */
    void hear(KnownClient client) {
        KnownClient heard = host(client).clients.get(client.id());
        requireNonNull(heard, client.host());
    }

    /** Its open writes are so many more, or fewer. */
    void count(KnownClient client, int more, long moreBytes) {
        outcomes += more;
        bytes += moreBytes;
        client.bytes += moreBytes;
        Host host = host(client);
        host.bytes += moreBytes;
        byBytes.moved(host);
    }

    /** The one silent for longest. */
    KnownClient eldestOfMostClients() {
        return byClients.eldest();
    }

    KnownClient eldestOfMostBytes() {
        return byBytes.eldest();
    }
}
