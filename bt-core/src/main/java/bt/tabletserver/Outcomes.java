package bt.tabletserver;

import bt.base.BigtableException;
import bt.base.RejectedException;
import bt.model.RowRange;
import bt.model.TabletId;
import bt.protocol.WriteId;
import bt.protocol.WriteResult;
import bt.tablet.OpenWrite;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What became of the writes whose clients may not know it yet: a retry is answered, not applied again. A client says with
 * each write below which number it has all answers, so what is kept is what is open, for ten minutes. Bounded: the client
 * that has been silent for longest loses its lowest numbers first, and a retry of those is answered UNKNOWN, here and
 * wherever the tablet goes ({@link LostWrites}); of a client that is forgotten one number is left, or its next retry would
 * be applied once more. One thread.
 */
final class Outcomes {
    private static final long OUTCOME_BYTES = 200;
    private static final long EXPIRE_EVERY_MICROS = 60_000_000;

    static final int MAX_CLIENTS = 10_000;

    /** About 100 bytes each. */
    private static final int MAX_FORGOTTEN = 65_536;

    /** All of a table go to files with each flush of a tablet of it. */
    private static final int MAX_LOST = 10_000;

    private final long maxBytes;
    private final int maxClients;
    private final int maxForgotten;

    /** By client; the one silent for longest first. */
    private final LinkedHashMap<Long, Client> clients = new LinkedHashMap<>(16, 0.75f, true);

    /** Of clients that are not among those: below which number nobody knows what became of their writes. The first first. */
    private final LinkedHashMap<Long, Long> forgotten = new LinkedHashMap<>();

    private final LostWrites lost;
    private int outcomes;
    private long bytes;
    private long expiredMicros;

    Outcomes() {
        this(200_000 * OUTCOME_BYTES, MAX_CLIENTS, MAX_FORGOTTEN);
    }

    /** Bytes are about what they hold of the heap; of so many clients beyond one number is kept. */
    Outcomes(long maxBytes, int maxClients, int maxForgotten) {
        this.maxBytes = maxBytes;
        this.maxClients = maxClients;
        this.maxForgotten = maxForgotten;
        this.lost = new LostWrites(Math.min(maxForgotten, MAX_LOST));
    }

    /** What the write was answered, if it was; its client's word on what is below is taken. */
    Optional<WriteResult> find(WriteId id) {
        Client client = clients.get(id.client());
        if (client == null) {
            Long unknownBelow = forgotten.get(id.client());
            return unknownBelow != null && id.number() < unknownBelow ? Optional.of(tooLate(id)) : Optional.empty();
        }
        hasAnswersBelow(client, id.lowestOpen());
        Outcome known = client.open.get(id.number());
        if (known != null) {
            return Optional.of(WriteResult.applied(known.write.result()));
        }
        if (id.number() < client.unknownBelow) {
            // A late copy of a write whose answer has arrived, or one that had to be forgotten. Applied now, it would
            // undo what came after it.
            return Optional.of(tooLate(id));
        }
        return Optional.empty();
    }

    private static WriteResult tooLate(WriteId id) {
        // By its kind the client sends it no more: it would be answered the same for as long as there is somebody to
        // ask.
        return WriteResult.failed(new RejectedException(
                "write " + id.number() + " of client " + Long.toHexString(id.client())
                        + " came too late to tell whether it was applied",
                "read before you write again",
                BigtableException.Outcome.UNKNOWN));
    }

    /** The write was applied to a row of the table, or, if it is lost, somebody had to forget it. */
    void add(long tableId, OpenWrite write) {
        OpenWrite.Author author = write.author();
        if (write.isLost()) {
            takeOver(tableId, write);
            return;
        }
        Client client = clients.computeIfAbsent(author.client(), this::fresh);
        hasAnswersBelow(client, author.lowestOpen());
        if (author.number() >= client.answeredBelow) {
            Outcome outcome = new Outcome(tableId, write);
            if (client.open.putIfAbsent(author.number(), outcome) == null) {
                outcomes++;
                bytes += outcome.bytes();
            }
        }
        while (clients.size() > maxClients) {
            forgetEldest();
        }
        while (bytes > maxBytes && outcomes > 1) {
            forgetOne();
        }
    }

    /** Takes over what a log told of the tablets that it was replayed for. */
    void addAll(Outcomes replayed) {
        replayed.clients.values().forEach(client -> client.open
                .values()
                .forEach(outcome -> add(outcome.tableId, client.told(outcome.write))));
        replayed.lost.forEach(this::takeOver);
    }

    /** What is known here of the client's writes stays known. */
    private void takeOver(long tableId, OpenWrite write) {
        long unknownBelow = write.author().number() + 1;
        Client client = clients.get(write.author().client());
        if (client != null) {
            client.unknownBelow = Math.max(client.unknownBelow, unknownBelow);
        } else {
            forget(write.author().client(), unknownBelow);
        }
        lost.add(tableId, write);
    }

    /**
     * Those of rows of the tablet that were answered and may still be asked for, with what their clients have answers for;
     * and of its table the lost ones.
     */
    List<OpenWrite> openIn(TabletId tablet, RowRange range, long nowMicros) {
        List<OpenWrite> found = lost.of(tablet.tableId(), nowMicros);
        for (Client client : clients.values()) {
            for (Outcome outcome : client.open.values()) {
                if (outcome.tableId == tablet.tableId()
                        && range.contains(outcome.write.row())
                        && outcome.write.isOpen(nowMicros)) {
                    found.add(client.told(outcome.write));
                }
            }
        }
        return found;
    }

    /** Those of the table that are lost. */
    List<OpenWrite> lostIn(long tableId, long nowMicros) {
        return lost.of(tableId, nowMicros);
    }

    /** The tables of which writes are lost. */
    Set<Long> tablesWithLost(long nowMicros) {
        return lost.tables(nowMicros);
    }

    /** Forgets those that are so old that nobody may ask, now and then. */
    void expire(long nowMicros) {
        if (nowMicros - expiredMicros >= EXPIRE_EVERY_MICROS) {
            expiredMicros = nowMicros;
            for (Client client : clients.values()) {
                while (!client.open.isEmpty()
                        && !client.open.firstEntry().getValue().write.isOpen(nowMicros)) {
                    forgetFirst(client);
                }
            }
            lost.expire(nowMicros);
        }
    }

    int size() {
        return outcomes;
    }

    /** By the client's own word. */
    private void hasAnswersBelow(Client client, long number) {
        if (number > client.answeredBelow) {
            while (!client.open.isEmpty() && client.open.firstKey() < number) {
                subtract(client.open.pollFirstEntry().getValue());
            }
            client.answeredBelow = number;
            client.unknownBelow = Math.max(client.unknownBelow, number);
        }
    }

    private Outcome forgetFirst(Client client) {
        Map.Entry<Long, Outcome> first = client.open.pollFirstEntry();
        subtract(first.getValue());
        client.unknownBelow = Math.max(client.unknownBelow, first.getKey() + 1);
        return first.getValue();
    }

    private void lose(Client client) {
        Outcome outcome = forgetFirst(client);
        lost.add(outcome.tableId, outcome.write.lost());
    }

    private void forgetEldest() {
        Iterator<Map.Entry<Long, Client>> clientsByAge = clients.entrySet().iterator();
        Map.Entry<Long, Client> eldest = clientsByAge.next();
        clientsByAge.remove();
        Client client = eldest.getValue();
        while (!client.open.isEmpty()) {
            lose(client);
        }
        forget(eldest.getKey(), client.unknownBelow);
    }

    private void forget(long client, long unknownBelow) {
        forgotten.merge(client, unknownBelow, Math::max);
        if (forgotten.size() > maxForgotten) {
            Iterator<Long> first = forgotten.keySet().iterator();
            first.next();
            first.remove();
        }
    }

    private Client fresh(long id) {
        Client client = new Client();
        Long unknownBelow = forgotten.remove(id);
        if (unknownBelow != null) {
            client.unknownBelow = unknownBelow;
        }
        return client;
    }

    private void subtract(Outcome gone) {
        outcomes--;
        bytes -= gone.bytes();
    }

    private void forgetOne() {
        Client eldest = clients.values().iterator().next();
        if (eldest.open.isEmpty()) {
            forgetEldest();
        } else {
            lose(eldest);
        }
    }

    private static final class Client {
        private final TreeMap<Long, Outcome> open = new TreeMap<>();

        /** The client's word. */
        private long answeredBelow = Long.MIN_VALUE;

        /** What is below and not open is not known; that word at least. */
        private long unknownBelow = Long.MIN_VALUE;

        /** With the word of its author now: whoever takes the write over must not apply a late copy of one before it. */
        OpenWrite told(OpenWrite write) {
            return write.author().lowestOpen() >= answeredBelow ? write : write.told(answeredBelow);
        }
    }

    private record Outcome(long tableId, OpenWrite write) {
        long bytes() {
            return OUTCOME_BYTES + write.row().length();
        }
    }
}
