package bt.client;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.Deadline;
import bt.base.UnavailableException;
import bt.client.Operation.Refusal;
import bt.client.Operations.Patience;
import bt.metadata.MetadataRow;
import bt.model.TableSchema;
import bt.record.Phase;
import bt.record.TabletLocation;
import java.util.Optional;

/**
 * The move of the tablet that holds a row, begun as an operation, which is that of all moves of the table: that of another row may
 * last for longer, and what it came to says nothing of this one. One thread.
 */
final class AwaitedMove {
    private static final long LOOK_MILLIS = 15_000;

    private final Session session;
    private final TableSchema table;
    private final Bytes row;
    private final String server;

    /** To a living server's id, or its address as host:port. */
    AwaitedMove(Session session, TableSchema table, Bytes row, String server) {
        this.session = session;
        this.table = table;
        this.row = row;
        this.server = server;
    }

    /** Returns when the tablet is served there; throws why it never will be as soon as that is told, for it is told for a minute. */
    void run(Operations operations) throws BigtableException, InterruptedException {
        Operation begun = operations.move(table, row, server);
        Optional<Operation> last = Doubt.after(
                begun.id() + " has begun",
                () -> operations.awaitUntil(
                        begun.id(), Patience.OF_A_CALL, now -> refusal(now).isPresent() || isThere(look())));
        Optional<Refusal> refusal = last.flatMap(this::refusal);
        if (refusal.isPresent()) {
            throw refusal.get().failure(subject());
        }
        if (!Doubt.after(begun.id() + " is over", this::isThereAtLast)) {
            throw new UnavailableException(
                    subject() + ": " + begun.id() + " is over, and " + server
                            + " does not serve its tablet: move it again",
                    Outcome.UNKNOWN);
        }
    }

    private String subject() {
        return "table " + table.name() + " row " + row.brief();
    }

    private Optional<Refusal> refusal(Operation now) {
        return now.refusals().stream().filter(each -> each.row().equals(row)).findFirst();
    }

    private Deadline look() {
        return Deadline.after(session.scheduler().clock(), LOOK_MILLIS);
    }

    private boolean isThereAtLast() throws BigtableException, InterruptedException {
        return session.retry().ofReads().run(subject(), this::isThere);
    }

    private boolean isThere(Deadline deadline) throws BigtableException, InterruptedException {
        Optional<TabletLocation> location =
                new TabletHolder(session, table).of(row, deadline).map(MetadataRow::location);
        return location.filter(now -> now.getPhase() == Phase.SERVING)
                .filter(now -> server.equals(now.getServer()) || server.equals(now.getAddress()))
                .isPresent();
    }
}
