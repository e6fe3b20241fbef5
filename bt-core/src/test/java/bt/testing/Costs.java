package bt.testing;

import bt.base.Bytes;
import bt.metadata.MetadataKeys;
import bt.model.TableSchema;
import bt.protocol.Answer;
import bt.protocol.Request;
import bt.record.ServerStatus;
import java.util.concurrent.atomic.AtomicLong;

/** What answers to one process come to that grow with the tablets of a cluster. Any thread. */
final class Costs {
    private static final Bytes USERS = MetadataKeys.tables(1, 1).start();

    private final AtomicLong rowsRead = new AtomicLong();
    private final AtomicLong tabletsTold = new AtomicLong();

    void count(Request request, Answer answer) {
        if (answer instanceof Answer.Page page
                && request instanceof Request.Scan scan
                && scan.tableId() == TableSchema.METADATA_ID
                && scan.walk().next().compareTo(USERS) >= 0) {
            rowsRead.addAndGet(page.rowsSeen());
        }
        if (answer instanceof Answer.Control control && control.message() instanceof ServerStatus status) {
            tabletsTold.addAndGet(status.getTablets().size());
        }
    }

    /** How many rows of METADATA it was sent, those of METADATA's own tablets aside. */
    long rowsRead() {
        return rowsRead.get();
    }

    /** Of how many tablets servers have told it, each as often as it was told. */
    long tabletsTold() {
        return tabletsTold.get();
    }
}
