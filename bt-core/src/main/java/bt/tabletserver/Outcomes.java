package bt.tabletserver;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Clock;
import bt.base.OverloadedException;
import bt.base.RejectedException;
import bt.model.RowRange;
import bt.model.TabletId;
import bt.protocol.Caller;
import bt.protocol.WriteId;
import bt.protocol.WriteResult;
import bt.tablet.OpenWrite;
import bt.tabletserver.KnownClient.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What became of the writes whose clients may not know it yet: a retry is answered, not applied again. A client says with
 * each write below which number it has all answers, so what is kept is what is open, for ten minutes. Bounded: the client
 * that has been silent for longest loses its lowest numbers first, and a retry of those is answered UNKNOWN, here and
 * wherever the tablet goes ({@link LostWrites}); of a client that is forgotten one number is left, or its next retry would
 * be applied once more. One thread.
 */
final class Outcomes {
    private static final long EXPIRE_EVERY_MICROS = 60_000_000;
    private static final long DROP_EVERY_MICROS = 1_000_000;

    static final int MAX_CLIENTS = 10_000;

    private static final int MAX_FORGOTTEN = 65_536;
    private static final long RETRY_MILLIS = 1_000;

    /** Of what tablets brought that came here: it may be anybody's. */
    static final String ANY_HOST = "";

    /** What two batches of writes may come to: those that were let in are counted when they are in the log. */
    private static final long ON_THE_WAY_BYTES = 10L << 20;

    private final long maxBytes;
    private final long mayBecomeBytes;
    private final int maxClients;
    private final int maxKnown;

    private final KnownClients clients = new KnownClients();
    private final ForgottenClients forgotten;
    private final LostWrites lost;
    private long expiredMicros;
    private long droppedMicros;

    Outcomes() {
        this(200_000 * Outcome.HELD_BYTES, ON_THE_WAY_BYTES, MAX_CLIENTS, MAX_FORGOTTEN);
    }

    /** Bytes are about what they hold of the heap; of so many clients beyond one number is kept. */
    Outcomes(long maxBytes, int maxClients, int maxForgotten) {
        this(maxBytes, 0, maxClients, maxForgotten);
    }

    /** What is let in takes so many bytes at most until it is added. */
    private Outcomes(long maxBytes, long onTheWayBytes, int maxClients, int maxForgotten) {
        this.maxBytes = maxBytes;
        this.mayBecomeBytes = maxBytes - onTheWayBytes;
        this.maxClients = maxClients;
        this.maxKnown = maxClients + maxForgotten;
        this.forgotten = new ForgottenClients(maxForgotten);
        this.lost = new LostWrites(maxForgotten);
    }

    /**
     * OVERLOADED when the write could only be taken by forgetting a client that may still ask: its host has brought as many as there is
     * room left, so that there is always some for another.
     */
    void checkRoom(WriteId id, Bytes row, Caller caller, Clock clock) throws OverloadedException {
        if (!hasRoom(id, row, caller)) {
            dropOld(clock.micros());
            if (!hasRoom(id, row, caller)) {
                String host = caller.host();
                throw new OverloadedException(
                        host + ": " + knownOf(host) + " clients there, and " + (known() - knownOf(host))
                                + " elsewhere, have written to this server in ten minutes, and for so long it has to know what"
                                + " became of their writes: let one client write what many would",
                        RETRY_MILLIS);
            }
        }
    }

    private boolean hasRoom(WriteId id, Bytes row, Caller caller) {
        boolean isFresh = clients.size() >= maxClients
                && clients.find(id.client()) == null
                && forgotten.below(id.client()).isEmpty();
        if (!isFresh && clients.bytes() + Outcome.bytes(row) <= mayBecomeBytes) {
            return true;
        }
        String host = caller.host();
        return lost.hasRoom(host) && (!isFresh || knownOf(host) < maxKnown - (known() - knownOf(ANY_HOST)));
    }

    private int knownOf(String host) {
        return clients.of(host) + forgotten.of(host);
    }

    private int known() {
        return clients.size() + forgotten.size();
    }

    /** Whoever has been silent for ten minutes asks no more, and what is left of it makes room for others. */
    private void dropOld(long nowMicros) {
        if (nowMicros - droppedMicros < DROP_EVERY_MICROS) {
            return;
        }
        droppedMicros = nowMicros;
        expireNow(nowMicros);
        forgotten.dropOld(nowMicros);
        for (KnownClient client : List.copyOf(clients.all())) {
            if (client.open.isEmpty() && nowMicros - client.heardMicros >= OpenWrite.KEPT_MICROS) {
                clients.remove(client);
            }
        }
    }

    /** What the write was answered, if it was; its client's word on what is below is taken. */
    Optional<WriteResult> find(WriteId id) {
        KnownClient client = clients.find(id.client());
        if (client == null) {
            OptionalLong unknownBelow = forgotten.below(id.client());
            return unknownBelow.isPresent() && id.number() < unknownBelow.getAsLong()
                    ? Optional.of(tooLate(id))
                    : Optional.empty();
        }
        clients.hear(client);
        hasAnswersBelow(client, id.lowestOpen());
        Outcome known = client.open.get(id.number());
        if (known != null) {
            return Optional.of(WriteResult.applied(known.write().result()));
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

    /** The write was applied to a row of the table, or, if it is lost, somebody had to forget it. Whose it was is not known. */
    void add(long tableId, OpenWrite write) {
        if (write.isLost()) {
            takeOver(tableId, write);
            return;
        }
        KnownClient known = clients.find(write.author().client());
        add(known == null ? fresh(write.author().client(), ANY_HOST) : known, tableId, write);
    }

    /** The caller's write was applied to a row of the table. */
    void add(Caller caller, long tableId, OpenWrite write) {
        KnownClient known = clients.find(write.author().client());
        if (known == null) {
            add(fresh(write.author().client(), caller.host()), tableId, write);
        } else {
            if (!caller.isFrom(known.host())) {
                clients.move(known, caller.host());
            }
            add(known, tableId, write);
        }
    }

    private void add(KnownClient client, long tableId, OpenWrite write) {
        clients.hear(client);
        client.heardMicros = Math.max(client.heardMicros, write.micros());
        OpenWrite.Author author = write.author();
        hasAnswersBelow(client, author.lowestOpen());
        if (author.number() >= client.answeredBelow) {
            Outcome outcome = new Outcome(tableId, write);
            if (client.open.putIfAbsent(author.number(), outcome) == null) {
                clients.count(client, 1, outcome.bytes());
            }
        }
        while (clients.size() > maxClients) {
            forget(clients.eldestOfMostClients());
        }
        while (clients.bytes() > maxBytes && clients.outcomes() > 1) {
            forgetOne();
        }
    }

    /** Takes over what a log told of the tablets that it was replayed for. */
    void addAll(Outcomes replayed) {
        replayed.clients.all().forEach(client -> client.open
                .values()
                .forEach(outcome -> add(outcome.tableId(), client.told(outcome.write()))));
        replayed.lost.forEach(this::takeOver);
    }

    /** What is known here of the client's writes stays known. */
    private void takeOver(long tableId, OpenWrite write) {
        long unknownBelow = write.author().number() + 1;
        KnownClient client = clients.find(write.author().client());
        if (client != null) {
            client.unknownBelow = Math.max(client.unknownBelow, unknownBelow);
        } else {
            forgotten.add(write.author().client(), unknownBelow, ANY_HOST, write.micros());
        }
        lost.add(tableId, write, client == null ? ANY_HOST : client.host());
    }

    /**
     * Those of rows of the tablet that were answered and may still be asked for, with what their clients have answers for;
     * and of its table the lost ones.
     */
    List<OpenWrite> openIn(TabletId tablet, RowRange range, long nowMicros) {
        List<OpenWrite> found = lost.of(tablet.tableId(), nowMicros);
        for (KnownClient client : clients.all()) {
            for (Outcome outcome : client.open.values()) {
                if (outcome.tableId() == tablet.tableId()
                        && range.contains(outcome.write().row())
                        && outcome.write().isOpen(nowMicros)) {
                    found.add(client.told(outcome.write()));
                }
            }
        }
        return found;
    }

    /** The same of several tablets, by tablet, without lost ones: what is known is gone through once, however many they are. */
    Map<TabletId, List<OpenWrite>> openIn(AdoptedTablets tablets, long nowMicros) {
        Map<TabletId, List<OpenWrite>> found = new HashMap<>();
        for (KnownClient client : clients.all()) {
            for (Outcome outcome : client.open.values()) {
                if (outcome.write().isOpen(nowMicros)) {
                    tablets.find(outcome.tableId(), outcome.write().row())
                            .ifPresent(tablet -> found.computeIfAbsent(tablet.id(), first -> new ArrayList<>())
                                    .add(client.told(outcome.write())));
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
            expireNow(nowMicros);
        }
    }

    private void expireNow(long nowMicros) {
        expiredMicros = nowMicros;
        for (KnownClient client : clients.all()) {
            while (!client.open.isEmpty()
                    && !client.open.firstEntry().getValue().write().isOpen(nowMicros)) {
                forgetFirst(client);
            }
        }
        lost.expire(nowMicros);
    }

    int size() {
        return clients.outcomes();
    }

    /** By the client's own word. */
    private void hasAnswersBelow(KnownClient client, long number) {
        if (number > client.answeredBelow) {
            while (!client.open.isEmpty() && client.open.firstKey() < number) {
                subtract(client, client.open.pollFirstEntry().getValue());
            }
            client.answeredBelow = number;
            client.unknownBelow = Math.max(client.unknownBelow, number);
        }
    }

    private Outcome forgetFirst(KnownClient client) {
        Map.Entry<Long, Outcome> first = client.open.pollFirstEntry();
        subtract(client, first.getValue());
        client.unknownBelow = Math.max(client.unknownBelow, first.getKey() + 1);
        return first.getValue();
    }

    private void lose(KnownClient client) {
        Outcome outcome = forgetFirst(client);
        lost.add(outcome.tableId(), outcome.write().lost(), client.host());
    }

    private void forgetOne() {
        KnownClient eldest = clients.eldestOfMostBytes();
        if (eldest.open.isEmpty()) {
            forget(eldest);
        } else {
            lose(eldest);
        }
    }

    private void forget(KnownClient client) {
        while (!client.open.isEmpty()) {
            lose(client);
        }
        clients.remove(client);
        forgotten.add(client.id(), client.unknownBelow, client.host(), client.heardMicros);
    }

    private KnownClient fresh(long id, String host) {
        KnownClient client = clients.add(id, host);
        forgotten.remove(id).ifPresent(unknownBelow -> client.unknownBelow = unknownBelow);
        return client;
    }

    private void subtract(KnownClient client, Outcome gone) {
        clients.count(client, -1, -gone.bytes());
    }
}
