package bt.tablet;

import bt.sstable.SSTable;
import java.util.concurrent.atomic.AtomicInteger;

/** An open SSTable that several tablets of this server may read: halves of a tablet that was split share its files. Any thread. */
final class SharedTable {
    private final SSTable table;
    private final AtomicInteger holders = new AtomicInteger(1);

    /** Held once. */
    SharedTable(SSTable table) {
        this.table = table;
    }

    SSTable table() {
        return table;
    }

    /** Once more, by somebody who has it from one that holds it. */
    SharedTable hold() {
        holders.incrementAndGet();
        return this;
    }

    void release() {
        if (holders.decrementAndGet() == 0) {
            table.close();
        }
    }
}
