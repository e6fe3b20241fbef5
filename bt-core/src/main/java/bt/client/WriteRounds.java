package bt.client;

import bt.base.Bytes;
import bt.base.HeapPiece;
import bt.base.OverloadedException;
import bt.model.RowMutation;
import bt.protocol.WriteId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Several writes, finished in rounds of different rows by whoever waits for them: writes to one row stay in their order,
 * and no thread is started, as a {@link BatchWriter} does. One thread, once.
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

    /** Of each what became of it, in the order of the mutations. */
    List<Written> run() throws InterruptedException {
        while (!waiting.isEmpty()) {
            List<PendingWrite> round = new ArrayList<>();
            try {
                gather(round);
                writes.finish(round);
            } catch (OverloadedException crowded) {
                // That was waited for, for a minute.
                waiting.forEach(write -> write.giveUp(crowded));
                waiting.clear();
            } finally {
                session.numbers()
                        .close(round.stream()
                                .flatMap(write -> write.id().stream())
                                .toList());
            }
        }
        return all.stream().map(Written::of).toList();
    }

    /** Only the first waits for its number: nothing that has one waits behind it. */
    private void gather(List<PendingWrite> round) throws OverloadedException, InterruptedException {
        WriteId first = session.openWrite();
        round.add(waiting.removeFirst().numbered(first));
        Set<Bytes> rows = new HashSet<>(Set.of(round.get(0).row()));
        long bytes = round.get(0).bytes();
        while (!waiting.isEmpty() && round.size() < WRITES_AT_ONCE) {
            PendingWrite next = waiting.getFirst();
            bytes += next.bytes();
            Optional<WriteId> id = bytes <= BYTES_AT_ONCE && rows.add(next.row())
                    ? session.numbers().tryOpen()
                    : Optional.empty();
            if (id.isEmpty()) {
                return;
            }
            round.add(waiting.removeFirst().numbered(id.get()));
        }
    }
}
