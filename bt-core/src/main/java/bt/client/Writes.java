package bt.client;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Deadline;
import bt.base.OverloadedException;
import bt.base.Retry;
import bt.base.UnavailableException;
import bt.metadata.TabletPlace;
import bt.metadata.Whereabouts;
import bt.model.RowRange;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.protocol.Address;
import bt.protocol.Answer;
import bt.protocol.Request;
import bt.protocol.Write;
import bt.protocol.WriteResult;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Brings writes to one table to their end: grouped by server, all servers asked at once, what did not succeed located
 * and sent again. Of two writes to one row only one may be among them, or a retry could overtake. One thread.
 */
final class Writes {
    private static final String UNSENT = "no time was left to send it: send it again";

    private final Session session;
    private final TableSchema table;
    private final Pace pace;
    private final Supplier<String> subject;

    Writes(Session session, TableSchema table) {
        this(session, table, Pace.FREE);
    }

    /** Sends each server no more at once than the pace allows. */
    Writes(Session session, TableSchema table, Pace pace) {
        this.session = session;
        this.table = table;
        this.pace = pace;
        this.subject = () -> "table " + table.name();
    }

    /** Afterwards every write was applied or has failed for good. */
    void finish(List<PendingWrite> writes) throws InterruptedException {
        finish(writes, session.deadline());
    }

    /** The same, given up at the deadline. */
    void finish(List<PendingWrite> writes, Deadline deadline) throws InterruptedException {
        finish(
                writes,
                deadline,
                until -> attempt(writes.stream().filter(PendingWrite::isOpen).toList(), until));
    }

    /**
     * Tries the rounds of a turn, and pauses behind it, until one leaves nothing of its rounds open. Afterwards, where the time was
     * over, every write that was begun was applied or has failed for good.
     */
    void finish(Collection<PendingWrite> begun, Rounds rounds, Deadline deadline) throws InterruptedException {
        finish(begun, deadline, until -> attempt(rounds, until));
    }

    /** The same of one alone, which no pace holds back: nothing is grouped for it. */
    void finish(PendingWrite write, Deadline deadline) throws InterruptedException {
        finish(List.of(write), deadline, until -> attempt(write, until));
    }

    private void finish(Collection<PendingWrite> writes, Deadline deadline, Attempt attempt)
            throws InterruptedException {
        try {
            session.retry().run(subject, deadline, until -> {
                checkTime(until);
                attempt.run(until);
                return true;
            });
        } catch (BigtableException last) {
            writes.forEach(session.ending().isOver() ? this::stop : write -> giveUp(write, last));
        } catch (InterruptedException stopped) {
            writes.forEach(this::stop);
            throw stopped;
        }
    }

    /** Of the two reasons its own says more than that of all writes together. */
    private void giveUp(PendingWrite write, BigtableException ofAll) {
        Optional<BigtableException> own = write.attempted();
        write.giveUp(
                own.isPresent()
                        ? Retry.givenUp(subject(write), own.get())
                        : new UnavailableException(subject(write) + ": " + UNSENT, Outcome.NOT_APPLIED)
                                .causedBy(ofAll));
    }

    /** However far it is, there will be no other attempt. */
    private void stop(PendingWrite write) {
        write.stop(outcome -> session.stopped(subject(write), outcome));
    }

    String subject(PendingWrite write) {
        return "table " + table.name() + " row " + write.row().brief();
    }

    /** Sends what is open; fails where some of it is then. */
    @FunctionalInterface
    private interface Attempt {
        void run(Deadline deadline) throws BigtableException, InterruptedException;
    }

    /** What is tried, each no more than once between two pauses. */
    interface Rounds {
        /** All that is open may be tried again. */
        void beginTurn();

        /** What is tried next, together; nothing where all was, or cannot be now. */
        List<PendingWrite> next();
    }

    /** However long the machine stood still: what is sent too late is applied again where nobody remembers it. */
    private static void checkTime(Deadline deadline) throws UnavailableException {
        if (deadline.isOver()) {
            throw new UnavailableException(UNSENT, Outcome.NOT_APPLIED);
        }
    }

    /** Tells a write what its first attempt came to, which was answered or has failed; whether that is the end of it. */
    boolean settle(PendingWrite write, Begun first) throws InterruptedException {
        TabletPlace place = first.place();
        settle(new Sent(alone(place), first.request(), placed(write, place), first.answer()), session.deadline());
        return !write.isOpen();
    }

    private static Pace.Grant alone(TabletPlace place) {
        return new Pace.Grant(place.address(), 1, 0);
    }

    private static List<Placed> placed(PendingWrite write, TabletPlace place) {
        return List.of(new Placed(write, place));
    }

    /** An attempt to write that was sent to where the row's tablet was served when somebody last looked. */
    record Begun(TabletPlace place, Request.Mutate request, CompletableFuture<Answer> answer) {}

    private void attempt(PendingWrite write, Deadline deadline) throws BigtableException, InterruptedException {
        Optional<TabletPlace> place = place(write, new ArrayList<>(), deadline);
        if (place.isPresent()) {
            settle(send(alone(place.get()), placed(write, place.get()), deadline), deadline);
        }
        if (write.isOpen()) {
            throw write.lastFailure();
        }
    }

    private void attempt(List<PendingWrite> open, Deadline deadline) throws BigtableException, InterruptedException {
        Map<Address, List<Placed>> waiting = group(open, deadline);
        while (!waiting.isEmpty()) {
            Deque<Sent> sent = send(waiting, deadline);
            if (sent.isEmpty()) {
                sent = sendAwaited(waiting, deadline);
            }
            if (sent.isEmpty()) {
                break;
            }
            settle(sent, deadline);
        }
        throwIfOpen(open);
    }

    /**
     * One round behind the other while they bring something to its end: a pause for what some of each are refused would be one for
     * all that come behind. Where nothing was taken what is next would hardly fare better, and the pause is due.
     */
    private void attempt(Rounds rounds, Deadline deadline) throws BigtableException, InterruptedException {
        List<BigtableException> failures = new ArrayList<>();
        rounds.beginTurn();
        List<PendingWrite> round = rounds.next();
        while (!round.isEmpty()) {
            try {
                attempt(round, deadline);
            } catch (UnavailableException | OverloadedException open) {
                failures.add(open);
            }
            boolean isInVain = round.stream().allMatch(PendingWrite::isOpen);
            boolean isOver = deadline.isOver() || session.ending().isOver();
            round = isInVain || isOver ? List.of() : rounds.next();
        }
        Optional<BigtableException> worst = failures.stream().max(Comparator.comparingLong(Writes::pauseMillis));
        if (worst.isPresent()) {
            throw worst.get();
        }
    }

    /** Takes out of what waits as much as may be sent now, and sends it. */
    private Deque<Sent> send(Map<Address, List<Placed>> waiting, Deadline deadline) {
        Deque<Sent> sent = new ArrayDeque<>();
        try {
            waiting.forEach((to, group) ->
                    pace.take(to, group.size()).ifPresent(grant -> sent.add(sendPart(grant, group, deadline))));
        } catch (RuntimeException | Error unsent) {
            sent.forEach(each -> pace.end(each.grant(), 0, Optional.empty()));
            throw unsent;
        }
        waiting.values().removeIf(List::isEmpty);
        return sent;
    }

    /** Takes out of a group what is granted, and sends it. */
    private Sent sendPart(Pace.Grant grant, List<Placed> group, Deadline deadline) {
        List<Placed> part = group.subList(0, grant.writes());
        try {
            Sent sent = send(grant, List.copyOf(part), deadline);
            part.clear();
            return sent;
        } catch (RuntimeException | Error unsent) {
            // What is left under way for good narrows the server's window for every other of this client.
            pace.end(grant, 0, Optional.empty());
            throw unsent;
        }
    }

    /**
     * The same of one server's, which is waited for; nothing once the time is over. Whoever holds something does not wait: two who did, for
     * each other's servers, would do so for ever.
     */
    private Deque<Sent> sendAwaited(Map<Address, List<Placed>> waiting, Deadline deadline) throws InterruptedException {
        Deque<Sent> sent = new ArrayDeque<>();
        Map.Entry<Address, List<Placed>> first = waiting.entrySet().iterator().next();
        List<Placed> group = first.getValue();
        try {
            sent.add(sendPart(pace.await(first.getKey(), group.size(), deadline), group, deadline));
            waiting.values().removeIf(List::isEmpty);
        } catch (OverloadedException crowded) {
            waiting.values()
                    .forEach(each -> each.forEach(placed -> placed.write().fail(crowded)));
        }
        return sent;
    }

    private Sent send(Pace.Grant grant, List<Placed> writes, Deadline deadline) {
        List<Write> sent = new ArrayList<>(writes.size());
        writes.forEach(placed -> sent.add(placed.write().write()));
        Request.Mutate request = new Request.Mutate(table.id(), sent);
        return new Sent(grant, request, writes, session.rowCalls().send(grant.to(), request, deadline));
    }

    private void settle(Deque<Sent> sent, Deadline deadline) throws InterruptedException {
        try {
            while (!sent.isEmpty()) {
                settle(sent.element(), deadline);
                Sent ended = sent.remove();
                pace.end(ended.grant(), ended.taken(), ended.pushBack());
            }
        } finally {
            sent.forEach(each -> pace.end(each.grant(), 0, Optional.empty()));
        }
    }

    /** Writes that can be sent now, by server; the others have failed this attempt. */
    private Map<Address, List<Placed>> group(List<PendingWrite> open, Deadline deadline) throws InterruptedException {
        Map<Address, List<Placed>> groups = new LinkedHashMap<>();
        List<Unserved> unserved = new ArrayList<>();
        Optional<TabletPlace> place = Optional.empty();
        for (PendingWrite write : open) {
            // Where the last row was found just now, with nothing waited for since: rows that are written together
            // mostly lie
            // together.
            if (place.isEmpty() || !place.get().range().contains(write.row())) {
                place = place(write, unserved, deadline);
            }
            place.ifPresent(found -> groups.computeIfAbsent(found.address(), a -> new ArrayList<>())
                    .add(new Placed(write, found)));
        }
        return groups;
    }

    /** Many writes may wait for one tablet: it is looked up once an attempt, not once a write. */
    private Optional<TabletPlace> place(PendingWrite write, List<Unserved> unserved, Deadline deadline)
            throws InterruptedException {
        Optional<TabletPlace> cached = session.locator().cached(table.id(), write.row());
        if (cached.isPresent()) {
            return cached;
        }
        for (Unserved known : unserved) {
            if (known.range().contains(write.row())) {
                write.fail(known.failure());
                return Optional.empty();
            }
        }
        try {
            Whereabouts found = session.look(table, write.row(), deadline);
            if (found.place().isEmpty()) {
                BigtableException failure = found.unserved(table, write.row());
                unserved.add(new Unserved(found.range(), failure));
                write.fail(failure);
            }
            return found.place();
        } catch (BigtableException failed) {
            // METADATA itself is not there, or the table is not: the same is true for every other row.
            unserved.add(new Unserved(RowRange.ALL, failed.notApplied()));
            write.fail(failed.notApplied());
            return Optional.empty();
        }
    }

    private void settle(Sent sent, Deadline deadline) throws InterruptedException {
        List<WriteResult> results;
        try {
            results = session.rowCalls().results(sent.grant().to(), sent.request(), sent.answer(), deadline);
        } catch (BigtableException failed) {
            results = sent.writes().stream()
                    .map(placed -> WriteResult.failed(failed))
                    .toList();
        }
        for (int i = 0; i < results.size(); i++) {
            Placed placed = sent.writes().get(i);
            placed.write().settle(results.get(i));
            // A server that has too much to do is the right one all the same.
            if (placed.write().isOpen() && placed.write().lastFailure() instanceof UnavailableException) {
                session.locator().forget(placed.place());
            }
        }
    }

    /** With the failure that asks for the longest pause. */
    private static void throwIfOpen(List<PendingWrite> writes) throws BigtableException {
        Optional<BigtableException> worst = Optional.empty();
        for (PendingWrite write : writes) {
            if (write.isOpen()) {
                BigtableException last = write.lastFailure();
                if (worst.isEmpty() || pauseMillis(last) > pauseMillis(worst.get())) {
                    worst = Optional.of(last);
                }
            }
        }
        if (worst.isPresent()) {
            throw worst.get();
        }
    }

    /** That a server asked for. */
    static long pauseMillis(BigtableException failure) {
        return failure instanceof OverloadedException overloaded ? overloaded.retryAfterMillis() : 0;
    }

    private record Unserved(RowRange range, BigtableException failure) {}

    private record Placed(PendingWrite write, TabletPlace place) {}

    private record Sent(
            Pace.Grant grant, Request.Mutate request, List<Placed> writes, CompletableFuture<Answer> answer) {
        /** How many the server took, whatever it made of them. */
        int taken() {
            return (int)
                    writes.stream().filter(placed -> !placed.write().isOpen()).count();
        }

        /** If any of them were refused because the server, or their tablet, has too much to do. */
        Optional<Pace.PushBack> pushBack() {
            Set<TabletId> tablets = new HashSet<>();
            Optional<OverloadedException> worst = Optional.empty();
            for (Placed placed : writes) {
                if (placed.write().isOpen() && placed.write().lastFailure() instanceof OverloadedException refused) {
                    tablets.add(placed.place().id());
                    if (worst.isEmpty()
                            || refused.retryAfterMillis() > worst.get().retryAfterMillis()) {
                        worst = Optional.of(refused);
                    }
                }
            }
            boolean othersTaken = writes.stream()
                    .anyMatch(placed -> !placed.write().isOpen()
                            && !tablets.contains(placed.place().id()));
            return worst.map(refused -> new Pace.PushBack(refused, tablets, othersTaken));
        }
    }
}
