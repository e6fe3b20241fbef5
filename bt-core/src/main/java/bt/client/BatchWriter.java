package bt.client;

import static bt.base.Check.checkState;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.UnavailableException;
import bt.model.RowMutation;
import bt.model.TableSchema;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Writes in bulk (section 3 of the paper: batching writes across row keys). Mutations are gathered, grouped by server and
 * sent several requests at a time; two mutations of one row are applied in the order they were added. It holds at most
 * 10,000 mutations or 4 MiB, or what {@link ClientOptions} say, then {@link #add} waits; where more than four are open in a
 * client, each holds an equal share of the bytes of four, 1 MiB at least. Who has waited longest goes on first; UNAVAILABLE and
 * NOT_APPLIED when that takes longer than all that is there may take, twice the time of an operation and ten seconds. A server that pushes back is sent nothing before
 * the time it named and less after it ({@link AdaptivePace}), by all writers of the client. Any thread; closed by one.
 *
 * <p>A mutation that fails for good (retried for a minute, or the time of an operation, if that could help) is thrown by the next call of any method,
 * as one exception: its message counts the failures and tells the worst, the first hundred are its suppressed ones, each
 * with row and outcome; the whole is UNKNOWN if any of them is. A mutation given to a call that throws so is not taken.
 * Who wants to know of each mutation takes what {@link #add} returns.
 */
public final class BatchWriter implements AutoCloseable {
    private static final String ADVICE =
            ": try again later, with less at a time; if it stays so, see which servers live and what is damaged";

    private final Session session;
    private final TableSchema table;
    private final Room room;
    private final Failed failed;
    private final Lanes lanes;
    private volatile boolean closed;

    BatchWriter(Session session, TableSchema table) {
        this.session = session;
        this.table = table;
        room = new Room(session.scheduler(), session.options(), session.batches()::bytesOfEach);
        failed = new Failed(table.name());
        lanes = new Lanes(session, table, room, failed);
        session.batches().opened();
        session.closing().add(lanes);
    }

    /**
     * Takes a mutation; waits while there is no room. It is applied, or has failed, some time before a {@link #flush} that
     * begins later returns.
     *
     * @return what {@link Table#apply(RowMutation)} returns, or fails with what that throws; complete before the flush
     *     returns. It may be ignored: a failure is thrown by another call too. Its dependents run on the thread that
     *     writes, so they neither wait nor add
     */
    @CanIgnoreReturnValue
    public CompletableFuture<Long> add(RowMutation mutation) throws BigtableException {
        checkState(!closed, "the batch of table %s is closed", table.name());
        failed.tell();
        PendingWrite write = new PendingWrite(mutation, Optional.empty());
        Room.Place place = Session.uninterrupted(this::subject, Outcome.NOT_APPLIED, () -> enter(write.bytes()));
        BatchedWrite batched = new BatchedWrite(write, place);
        lanes.add(batched);
        return batched.result();
    }

    /** Waits until all that was added before is applied or has failed; what others add meanwhile is not waited for. */
    public void flush() throws BigtableException {
        Session.uninterrupted(this::subject, Outcome.UNKNOWN, () -> {
            awaitEmpty();
            return true;
        });
        failed.tell();
    }

    /**
     * Flushes and ends, and leaves no thread: when it returns, all that was added and not thrown before is applied. When it throws, it has ended
     * all the same; interrupted, it gives up what is not written yet.
     */
    @Override
    public void close() throws BigtableException {
        if (closed) {
            return;
        }
        closed = true;
        try {
            flush();
        } finally {
            session.batches().closed();
            session.closing().end(lanes);
        }
    }

    private Room.Place enter(long bytes) throws BigtableException, InterruptedException {
        try {
            return room.enter(bytes);
        } catch (UnavailableException late) {
            throw advised(late);
        }
    }

    private void awaitEmpty() throws BigtableException, InterruptedException {
        try {
            room.awaitEmpty();
        } catch (UnavailableException late) {
            throw advised(late);
        }
    }

    private UnavailableException advised(UnavailableException late) {
        UnavailableException failure =
                new UnavailableException(subject() + ": " + late.getMessage() + ADVICE, late.outcome());
        failure.initCause(late);
        return failure;
    }

    private String subject() {
        return "a batch of table " + table.name();
    }
}
