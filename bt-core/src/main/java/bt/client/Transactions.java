package bt.client;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.Deadline;
import bt.base.OverloadedException;
import bt.base.UnavailableException;
import bt.model.RowMutation;
import bt.protocol.Condition;
import java.util.Optional;

/** Runs a transaction until nobody came in between. One thread. */
final class Transactions {
    private final Session session;
    private final Table table;
    private final PageRoom room;
    private final long counted;

    /** Whether somebody came in between a run. */
    private boolean isOvertaken;

    /**
     * Runs one.
     *
     * @param room of what they read and write
     * @param counted so many bytes of what they write are counted there already
     */
    Transactions(Session session, Table table, PageRoom room, long counted) {
        this.session = session;
        this.table = table;
        this.room = room;
        this.counted = counted;
    }

    <T> T run(Bytes row, RowTransaction<T> transaction) throws BigtableException {
        String subject = "table " + table.schema().name() + " row " + row.brief();
        Ended<T> ended = Session.uninterrupted(subject, Outcome.NOT_APPLIED, () -> session.retry()
                .run(() -> subject, session.deadline(), deadline -> once(row, transaction, deadline)));
        return ended.result();
    }

    /**
     * OVERLOADED when somebody came in between, which alone is a reason for another run. Other failures are how the
     * transaction ended: reads and writes retry by themselves, and a write may be in doubt.
     */
    private <T> Ended<T> once(Bytes row, RowTransaction<T> transaction, Deadline deadline)
            throws OverloadedException, InterruptedException {
        // Of what another run has read nothing is kept.
        room.forget();
        Transaction tx = new Transaction(table, row, deadline, room);
        Decided<T> decided = decided(tx, transaction);
        boolean writes = decided.isValue() && !tx.changes().isEmpty();
        try {
            if (writes ? commit(row, tx, deadline) : tx.isOfOneMoment()) {
                return decided.ended();
            }
        } catch (BigtableException failed) {
            // Overtaken so often that no time was left, which nothing else is to blame for.
            if (!isOvertaken || !deadline.isOver() || !isNeverSent(failed)) {
                // What the code gave up for says more, and is mostly the same.
                return decided.isValue() ? Decided.<T>failed(failed).ended() : decided.ended();
            }
        }
        isOvertaken = true;
        throw OverloadedException.contended(
                "what the transaction read was changed before it " + (writes ? "wrote" : "ended"));
    }

    private static boolean isNeverSent(BigtableException failed) {
        return failed instanceof UnavailableException && failed.outcome() == Outcome.NOT_APPLIED;
    }

    /** What the code makes of what it reads, which may never have been there at one moment. */
    private static <T> Decided<T> decided(Transaction tx, RowTransaction<T> transaction) {
        try {
            T value = transaction.run(tx);
            return new Decided<>(() -> value, true);
        } catch (BigtableException failed) {
            return Decided.failed(failed);
        } catch (RuntimeException failed) {
            return new Decided<>(
                    () -> {
                        throw failed;
                    },
                    false);
        }
    }

    private boolean commit(Bytes row, Transaction tx, Deadline deadline)
            throws BigtableException, InterruptedException {
        room.take(Math.max(0, PendingWrite.bytes(tx.changes()) - counted));
        RowMutation mutation = new RowMutation(row, tx.changes());
        return table.write(mutation, Optional.of(new Condition.Shows(tx.seen())), deadline) != 0;
    }

    /** How one run ended: with a value, or a failure of the code or of what it asked for. */
    private record Decided<T>(Ended<T> ended, boolean isValue) {
        static <T> Decided<T> failed(BigtableException failure) {
            return new Decided<>(
                    () -> {
                        throw failure;
                    },
                    false);
        }
    }

    /** How a transaction ended. */
    @FunctionalInterface
    private interface Ended<T> {
        T result() throws BigtableException;
    }
}
