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
import bt.protocol.WriteNumbers;
import java.util.ArrayDeque;
import java.util.ArrayList;
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
 * before it has ended, and no thread is started, as a {@link BatchWriter} does. What is open behind its round is tried again
 * when all others were tried, which go on without a pause while something of each round is taken: a round of nothing but writes
 * to a tablet that nobody serves costs a pause, and one with a server that does not answer the time of its request. All rounds
 * share the time of one write, or a call would last a minute for each of its rounds. One thread, once.
 */
final class WriteRounds implements Writes.Rounds {
    /** How far a call goes ahead of its oldest write that a server may have: the client's other writes need numbers too. */
    private static final int SPAN = WriteNumbers.SPAN / 2;

    private static final int WRITES_AT_ONCE = 1_000;
    private static final long BYTES_AT_ONCE = HeapPiece.BYTES;

    private final Session session;
    private final Writes writes;
    private final List<PendingWrite> all;

    /** The next write to the same row, of each that has one. */
    private final Map<PendingWrite, PendingWrite> followers = new HashMap<>();

    /** Of each row the first that is open, where it is not in the round or behind it; the next to be tried first. */
    private final Deque<PendingWrite> ready = new ArrayDeque<>();

    /** What had its turn and is open, or has no number. */
    private final List<PendingWrite> behind = new ArrayList<>();

    /** What is tried together now, or was last. */
    private final List<PendingWrite> round = new ArrayList<>();

    /** What was tried, or is about to be, and has not ended. */
    private final Set<PendingWrite> begun = new LinkedHashSet<>();

    /** The numbers of those that a server may have, and of the round, the lowest first. */
    private final Set<WriteId> open = new LinkedHashSet<>();

    /** The highest number that was taken. */
    private long last;

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
                writes.finish(begun, this, deadline);
                beginTurn();
            }
            if (!begun.isEmpty()) {
                // Behind the end of the time nothing is sent, and each is told what it failed with.
                writes.finish(begun, this, deadline);
            }
        } catch (OverloadedException crowded) {
            // That was waited for as long as there was time.
            giveUpUnsent(write -> session.tooFarAhead(writes.subject(write)));
        } finally {
            close(List.copyOf(open));
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

    private void close(List<WriteId> ended) {
        ended.forEach(open::remove);
        session.numbers().close(ended);
    }

    /** Only the first waits for its number: nothing that has one waits behind it. */
    private void awaitNumber(Deadline deadline) throws OverloadedException, InterruptedException {
        if (open.isEmpty()) {
            PendingWrite first = ready.getFirst();
            number(first, session.openWrite(() -> writes.subject(first), deadline));
        }
    }

    private void number(PendingWrite write, WriteId id) {
        begun.add(write.numbered(id));
        open.add(id);
        last = id.number();
    }

    @Override
    public void beginTurn() {
        endRound();
        ready.addAll(behind);
        behind.clear();
    }

    /** As many as fit into a request, of those that have waited longest. */
    @Override
    public List<PendingWrite> next() {
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
                behind.add(write);
            }
        }
        return List.copyOf(round);
    }

    private boolean hasNumber(PendingWrite write) {
        boolean isNear = open.isEmpty() || last - open.iterator().next().number() < SPAN - 1;
        if (write.id().isEmpty() && isNear) {
            session.numbers().tryOpen().ifPresent(id -> number(write, id));
        }
        return write.id().isPresent();
    }

    /**
     * What has ended makes way for the next write to its row; what is open has its turn behind all others. Its number is closed
     * where no server may have it: it would keep all later ones in the servers' memories, and at last others from any.
     */
    private void endRound() {
        List<PendingWrite> ended = new ArrayList<>();
        List<WriteId> unused = new ArrayList<>();
        for (PendingWrite write : round) {
            if (!write.isOpen()) {
                ended.add(write);
            } else {
                behind.add(write);
                if (!write.isInDoubt()) {
                    unused.add(write.withoutNumber());
                }
            }
        }
        round.clear();
        close(unused);
        end(ended);
    }

    private void end(List<PendingWrite> ended) {
        ended.forEach(write -> {
            begun.remove(write);
            Optional.ofNullable(followers.remove(write)).ifPresent(ready::add);
        });
        close(ended.stream().flatMap(write -> write.id().stream()).toList());
    }
}
