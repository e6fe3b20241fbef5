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
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Several writes, finished in rounds of different rows by whoever waits for them: writes to one row stay in their order,
 * and no thread is started, as a {@link BatchWriter} does. All rounds share the time of one write, or a call would last a
 * minute for each of its rounds. One thread, once.
 */
final class WriteRounds {
    private static final int WRITES_AT_ONCE = 1_000;
    private static final long BYTES_AT_ONCE = HeapPiece.BYTES;

    private final Session session;
    private final Writes writes;
    private final List<PendingWrite> all;
    private final Deque<PendingWrite> waiting;

    WriteRounds(Session session, Writes writes, List<RowMutation> mutations) {
        this.session = session;
        this.writes = writes;
        all = mutations.stream()
                .map(mutation -> new PendingWrite(mutation, Optional.empty()))
                .toList();
        waiting = new ArrayDeque<>(all);
    }

    /** Of each what became of it, in the order of the mutations; an interruption ends the waiting, and its flag is set then. */
    List<Written> run() {
        try {
            finish(session.deadline());
        } catch (InterruptedException stopped) {
            // Each says how far it was.
            Thread.currentThread().interrupt();
            giveUpWaiting(write -> session.stopped(writes.subject(write), Outcome.NOT_APPLIED));
        }
        return all.stream().map(Written::of).toList();
    }

    private void finish(Deadline deadline) throws InterruptedException {
        while (!waiting.isEmpty() && !deadline.isOver()) {
            List<PendingWrite> round = new ArrayList<>();
            try {
                gather(round, deadline);
                writes.finish(round, deadline);
            } catch (OverloadedException crowded) {
                // That was waited for as long as there was time.
                giveUpWaiting(write -> session.tooFarAhead(writes.subject(write)));
            } finally {
                session.numbers()
                        .close(round.stream()
                                .flatMap(write -> write.id().stream())
                                .toList());
            }
        }
        giveUpWaiting(write -> new UnavailableException(
                writes.subject(write) + ": the time of the call was over before this mutation was sent: send it again,"
                        + " or fewer at a time",
                Outcome.NOT_APPLIED));
    }

    private void giveUpWaiting(Function<PendingWrite, BigtableException> reason) {
        waiting.forEach(write -> write.giveUp(reason.apply(write)));
        waiting.clear();
    }

    /** Only the first waits for its number: nothing that has one waits behind it. */
    private void gather(List<PendingWrite> round, Deadline deadline) throws OverloadedException, InterruptedException {
        PendingWrite first = waiting.getFirst();
        round.add(first.numbered(session.openWrite(() -> writes.subject(first), deadline)));
        waiting.removeFirst();
        Set<Bytes> rows = new HashSet<>(Set.of(round.get(0).row()));
        long bytes = round.get(0).bytes();
        while (!waiting.isEmpty() && round.size() < WRITES_AT_ONCE) {
            PendingWrite more = waiting.getFirst();
            bytes += more.bytes();
            Optional<WriteId> id = bytes <= BYTES_AT_ONCE && rows.add(more.row())
                    ? session.numbers().tryOpen()
                    : Optional.empty();
            if (id.isEmpty()) {
                return;
            }
            round.add(waiting.removeFirst().numbered(id.get()));
        }
    }
}
