package bt.client;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.Deadline;
import bt.base.UnavailableException;
import bt.client.Operation.Refusal;
import bt.client.Operations.Patience;
import bt.metadata.MetadataRow;
import bt.model.TableSchema;
import bt.protocol.NamedRows;
import bt.record.Done;
import bt.record.MergeTablets;
import bt.record.Phase;
import bt.record.TableWork;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A merge of a table's tablets, asked of the master until METADATA shows it done. */
final class TabletMerge {
    private static final long LOOK_MILLIS = 50;

    /** The master gives a merge up after a while, and a new one knows nothing of it. */
    private static final int LOOKS_A_WISH = 100;

    private final Session session;
    private final MasterCalls master;
    private final TableSchema table;
    private final Bytes from;
    private final Bytes to;

    /** Of the tablets that hold rows from one to another, both included. */
    TabletMerge(Session session, MasterCalls master, TableSchema table, Bytes from, Bytes to) {
        this.session = session;
        this.master = master;
        this.table = table;
        this.from = from;
        this.to = to;
    }

    /** REJECTED at once where no tablets hold such rows. */
    boolean run() throws BigtableException, InterruptedException {
        NamedRows.checkSpan(table.name(), from, to);
        return session.retry().run("table " + table.name(), deadline -> {
            if (isDone(deadline)) {
                return true;
            }
            MergeTablets message =
                    new MergeTablets(table.id(), AvroBytes.buffer(from), AvroBytes.buffer(to.successor()));
            master.attempt(message, Done.class, deadline);
            for (int look = 0; look < LOOKS_A_WISH && !deadline.isOver(); look++) {
                session.scheduler().pause(LOOK_MILLIS);
                if (isDone(deadline)) {
                    return true;
                }
            }
            throw new UnavailableException("tablets are not merged yet", Outcome.UNKNOWN);
        });
    }

    /**
     * The same as an operation, which is that of all merges of the table: only when all have ended it is certain what became of
     * this one. REJECTED where the tablets are too large to be one; UNAVAILABLE where it has ended without being done, and nobody knows why:
     * it is not begun again, for somebody may have taken it back.
     */
    boolean await(Operations operations) throws BigtableException, InterruptedException {
        Operation begun = operations.begin(table, TableWork.MERGE, from, Optional.of(to));
        List<Refusal> refused = new ArrayList<>();
        Optional<Operation> unused = Doubt.after(
                begun.id() + " has begun",
                () -> operations.await(begun.id(), Patience.OF_A_CALL, now -> {
                    if (refused.isEmpty()) {
                        now.refusals().stream()
                                .filter(each -> each.row().compareTo(from) <= 0)
                                .findFirst()
                                .ifPresent(refused::add);
                    }
                }));
        String subject = "table " + table.name();
        // Though nobody has told of a refusal: the master that refused it may have died.
        if (session.retry().ofReads().run(subject, this::isMerged)) {
            return true;
        }
        throw refused.isEmpty() ? begun.endedUndone() : refused.get(0).failure(subject);
    }

    private boolean isDone(Deadline deadline) throws BigtableException, InterruptedException {
        return holder(deadline)
                .filter(tablet ->
                        tablet.range().contains(to) && tablet.location().getPhase() == Phase.SERVING)
                .isPresent();
    }

    private boolean isMerged(Deadline deadline) throws BigtableException, InterruptedException {
        return holder(deadline)
                .map(tablet -> tablet.range().contains(to))
                .orElseThrow(() -> new UnavailableException(
                        "METADATA shows no tablet that holds row " + from.brief() + ": tried again", Outcome.UNKNOWN));
    }

    private Optional<MetadataRow> holder(Deadline deadline) throws BigtableException, InterruptedException {
        return new TabletHolder(session, table).of(from, deadline);
    }
}
