package bt.tabletserver;

import static java.util.Objects.requireNonNull;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Clients, by the hosts that they write from: whoever has to be forgotten is one of the host that has most, so what one host brings
 * pushes nobody else's out. One thread.
 */
final class KnownClients {
    private final Map<Long, KnownClient> clients = new HashMap<>();

    /** Those that have clients here. */
    private final Map<String, Host> hosts = new HashMap<>();

    private int outcomes;
    private long bytes;

    private static final class Host {
        /** The one silent for longest first. */
        private final LinkedHashMap<Long, KnownClient> clients = new LinkedHashMap<>(16, 0.75f, true);

        private long bytes;
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
        Host host = hosts.computeIfAbsent(name, first -> new Host());
        host.clients.put(client.id(), client);
        host.bytes += client.bytes;
        client.host = name;
    }

    private void leave(KnownClient client) {
        Host host = host(client);
        host.clients.remove(client.id());
        host.bytes -= client.bytes;
        if (host.clients.isEmpty()) {
            hosts.remove(client.host());
        }
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
        host(client).bytes += moreBytes;
    }

    /** The one silent for longest. */
    KnownClient eldestOfMostClients() {
        return eldest(Comparator.comparingInt(host -> host.clients.size()));
    }

    KnownClient eldestOfMostBytes() {
        return eldest(Comparator.comparingLong(host -> host.bytes));
    }

    private KnownClient eldest(Comparator<Host> by) {
        Host most = hosts.values().stream().max(by).orElseThrow();
        return most.clients.values().iterator().next();
    }
}
