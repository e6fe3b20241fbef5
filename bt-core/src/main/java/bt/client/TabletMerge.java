package bt.client;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.Deadline;
import bt.base.UnavailableException;
import bt.model.TableSchema;
import bt.protocol.NamedRows;
import bt.record.Done;
import bt.record.MergeTablets;
import bt.record.Phase;

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

    private boolean isDone(Deadline deadline) throws BigtableException, InterruptedException {
        return new TabletHolder(session, table)
                .of(from, deadline)
                .filter(tablet ->
                        tablet.range().contains(to) && tablet.location().getPhase() == Phase.SERVING)
                .isPresent();
    }
}
