package bt.client;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.Deadline;
import bt.base.HeapPiece;
import bt.base.OverloadedException;
import bt.base.UnavailableException;
import bt.model.RowMutation;
import bt.protocol.WriteId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Several writes, finished in rounds of different rows by whoever waits for them: a write to a row is tried when the one
 * before it has ended, and no thread is started, as a {@link BatchWriter} does. A round is one attempt. What is open behind
 * it waits for its turn behind all others: a tablet that nobody serves keeps none of them back. All rounds share the time of
 * one write, or a call would last a minute for each of its rounds. One thread, once.
 */
final class WriteRounds {
    private static final int WRITES_AT_ONCE = 1_000;
    private static final long BYTES_AT_ONCE = HeapPiece.BYTES;

    private final Session session;
    private final Writes writes;
    private final List<PendingWrite> all;

    /** The next write to the same row, of each that has one. */
    private final Map<PendingWrite, PendingWrite> followers = new HashMap<>();

    /** Of each row the first that is open, where it is not in the round; the next to be tried first. */
    private final Deque<PendingWrite> ready = new ArrayDeque<>();

    /** What is tried together now, or was last. */
    private final List<PendingWrite> round = new ArrayList<>();

    /** What has a number and has not ended: a server may have it. */
    private final Set<PendingWrite> begun = new LinkedHashSet<>();

    WriteRounds(Session session, Writes writes, List<RowMutation> mutations) {
        this.session = session;
        this.writes = writes;
        all = mutations.stream()
                .map(mutation -> new PendingWrite(mutation, Optional.empty()))
                .toList();
        Map<Bytes, PendingWrite> last = new HashMap<>();
        for (PendingWrite write : all) {
            PendingWrite before = last.put(write.row(), write);
            if (before == null) {
                ready.add(write);
            } else {
                followers.put(before, write);
            }
        }
    }

    /** Of each what became of it, in the order of the mutations; an interruption ends the waiting, and its flag is set then. */
    List<Written> run() {
        try {
            finish(session.deadline());
        } catch (InterruptedException stopped) {
            // Each says how far it was.
            Thread.currentThread().interrupt();
            giveUpUnsent(this::stopped);
        }
        return all.stream().map(Written::of).toList();
    }

    private void finish(Deadline deadline) throws InterruptedException {
        try {
            while (!ready.isEmpty() && !deadline.isOver() && !session.ending().isOver()) {
                awaitNumber(deadline);
                writes.finish(begun, this::next, deadline);
                endRound();
            }
            if (!begun.isEmpty()) {
                // Behind the end of the time nothing is sent, and each is told what it failed with.
                writes.finish(begun, this::next, deadline);
            }
        } catch (OverloadedException crowded) {
            // That was waited for as long as there was time.
            giveUpUnsent(write -> session.tooFarAhead(writes.subject(write)));
        } finally {
            close(begun);
        }
        giveUpUnsent(write -> session.ending().isOver() ? stopped(write) : tooLate(write));
    }

    private BigtableException stopped(PendingWrite write) {
        return session.stopped(writes.subject(write), Outcome.NOT_APPLIED);
    }

    private BigtableException tooLate(PendingWrite write) {
        return new UnavailableException(
                writes.subject(write) + ": the time of the call was over before this mutation was sent: send it again,"
                        + " or fewer at a time",
                Outcome.NOT_APPLIED);
    }

    private void giveUpUnsent(Function<PendingWrite, BigtableException> reason) {
        all.stream()
                .filter(write -> write.isOpen() && write.id().isEmpty())
                .forEach(write -> write.giveUp(reason.apply(write)));
    }

    private void close(Collection<PendingWrite> ended) {
        session.numbers()
                .close(ended.stream().flatMap(write -> write.id().stream()).toList());
    }

    /** Only the first waits for its number: nothing that has one waits behind it. */
    private void awaitNumber(Deadline deadline) throws OverloadedException, InterruptedException {
        if (begun.isEmpty()) {
            PendingWrite first = ready.getFirst();
            number(first, session.openWrite(() -> writes.subject(first), deadline));
        }
    }

    private void number(PendingWrite write, WriteId id) {
        begun.add(write.numbered(id));
    }

    /** Those of the next attempt: as many as fit into a request, of those that have waited longest. */
    private List<PendingWrite> next() {
        endRound();
        long bytes = 0;
        for (int left = ready.size(); left > 0 && round.size() < WRITES_AT_ONCE; left--) {
            PendingWrite write = ready.remove();
            if (!write.isOpen()) {
                // It was given up with those of the round.
                end(List.of(write));
            } else if (!round.isEmpty() && bytes + write.bytes() > BYTES_AT_ONCE) {
                ready.addFirst(write);
                break;
            } else if (hasNumber(write)) {
                round.add(write);
                bytes += write.bytes();
            } else {
                // Others have all there are, some of these perhaps behind it: they go first.
                ready.add(write);
            }
        }
        return List.copyOf(round);
    }

    private boolean hasNumber(PendingWrite write) {
        if (write.id().isEmpty()) {
            session.numbers().tryOpen().ifPresent(id -> number(write, id));
        }
        return write.id().isPresent();
    }

    /** What has ended makes way for the next write to its row; what is open has its turn behind all others. */
    private void endRound() {
        List<PendingWrite> ended = new ArrayList<>();
        round.forEach(write -> (write.isOpen() ? ready : ended).add(write));
        round.clear();
        end(ended);
    }

    private void end(List<PendingWrite> ended) {
        ended.forEach(write -> {
            begun.remove(write);
            Optional.ofNullable(followers.remove(write)).ifPresent(ready::add);
        });
        close(ended);
    }
}
