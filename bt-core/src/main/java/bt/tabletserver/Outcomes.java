package bt.tabletserver;

import bt.base.BigtableException.Outcome;
import bt.base.UnavailableException;
import bt.protocol.WriteId;
import bt.protocol.WriteResult;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What became of the writes whose clients may not know it yet: a retry is answered, not applied again. A client says with
 * each write below which number it has all answers, so what is kept is what is open. Bounded: the client that has been
 * silent for longest loses its lowest numbers first, and a retry of those is answered UNKNOWN. One thread.
 */
final class Outcomes {
    private final int maxOutcomes;
    private final int maxClients;

    /** By client; the one silent for longest first. */
    private final LinkedHashMap<Long, Client> clients = new LinkedHashMap<>(16, 0.75f, true);

    private int outcomes;

    Outcomes() {
        this(200_000, 10_000);
    }

    Outcomes(int maxOutcomes, int maxClients) {
        this.maxOutcomes = maxOutcomes;
        this.maxClients = maxClients;
    }

    /** What the write was answered, if it was; its client's word on what is below is taken. */
    Optional<WriteResult> find(WriteId id) {
        Client client = clients.get(id.client());
        if (client == null) {
            return Optional.empty();
        }
        forgetBelow(client, id.lowestOpen());
        Long timestamp = client.timestamps.get(id.number());
        if (timestamp != null) {
            return Optional.of(WriteResult.applied(timestamp));
        }
        if (id.number() < client.lowestKnown) {
            // A late copy of a write whose answer has arrived, or one that had to be forgotten. Applied now, it would
            // undo what came after it.
            return Optional.of(WriteResult.failed(new UnavailableException(
                    "write " + id.number() + " of client " + Long.toHexString(id.client())
                            + " came too late to tell whether it was applied: read before you write again",
                    Outcome.UNKNOWN)));
        }
        return Optional.empty();
    }

    /** The write was applied with this timestamp. */
    void add(WriteId id, long timestamp) {
        Client client = clients.computeIfAbsent(id.client(), fresh -> new Client());
        forgetBelow(client, id.lowestOpen());
        if (id.number() >= client.lowestKnown && client.timestamps.put(id.number(), timestamp) == null) {
            outcomes++;
        }
        while (clients.size() > maxClients) {
            forgetEldest();
        }
        while (outcomes > maxOutcomes) {
            forgetOne();
        }
    }

    /** Takes over what a log told of the tablets that it was replayed for. */
    void addAll(Outcomes replayed) {
        replayed.clients.forEach((id, client) -> client.timestamps.forEach(
                (number, timestamp) -> add(new WriteId(id, number, client.lowestKnown), timestamp)));
    }

    int size() {
        return outcomes;
    }

    private void forgetBelow(Client client, long number) {
        if (number > client.lowestKnown) {
            NavigableMap<Long, Long> below = client.timestamps.headMap(number, false);
            outcomes -= below.size();
            below.clear();
            client.lowestKnown = number;
        }
    }

    private void forgetEldest() {
        Iterator<Map.Entry<Long, Client>> eldest = clients.entrySet().iterator();
        outcomes -= eldest.next().getValue().timestamps.size();
        eldest.remove();
    }

    private void forgetOne() {
        Client eldest = clients.values().iterator().next();
        if (eldest.timestamps.isEmpty()) {
            forgetEldest();
        } else {
            forgetBelow(eldest, eldest.timestamps.firstKey() + 1);
        }
    }

    private static final class Client {
        private final TreeMap<Long, Long> timestamps = new TreeMap<>();
        private long lowestKnown = Long.MIN_VALUE;
    }
}
