package bt.master;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.metadata.MetadataRow;
import bt.metadata.TabletStates;
import bt.model.TabletId;
import bt.record.TabletState;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rows of METADATA that were marked gone long ago. They are removed when all of their table's were seen to follow each other, in a dry
 * run not at all: where a row is missing, or was marked by mistake, those that are marked may be what tells how it came. One thread.
 */
final class GoneRows {
    private static final Logger log = LoggerFactory.getLogger(GoneRows.class);

    /** How many are removed at a time, and of how many bytes their names are in the master's memory meanwhile. */
    record Most(int rows, long nameBytes) {
        static final Most USUAL = new Most(10_000, 16 << 20);
    }

    private final Sweep.Ports ports;
    private final Graces graces;
    private final SweepTally tally;
    private final boolean dry;
    private final Most most;
    private final Map<TabletId, MetadataRow> due = new LinkedHashMap<>();
    private long nameBytes;
    private boolean areMore;
    private OptionalLong nowMicros = OptionalLong.empty();

    GoneRows(Sweep.Ports ports, Graces graces, SweepTally tally, boolean dry, Most most) {
        this.most = most;
        this.ports = ports;
        this.graces = graces;
        this.tally = tally;
        this.dry = dry;
    }

    /** A row that is marked. */
    void saw(MetadataRow row) throws BigtableException, InterruptedException {
        if (dry || due.containsKey(row.id())) {
            return;
        }
        if (due.size() >= most.rows || nameBytes >= most.nameBytes) {
            areMore = true;
        } else if (isOld(row)) {
            due.put(row.id(), withoutState(row));
            nameBytes += row.id().endRow().map(Bytes::length).orElse(0);
        }
    }

    /** Of which its generation alone is needed to remove it, while the files of thousands would take gigabytes. */
    private static MetadataRow withoutState(MetadataRow row) {
        TabletState gone = TabletState.newBuilder(TabletStates.empty(Optional.empty()))
                .setGone(true)
                .build();
        return new MetadataRow(row.id(), row.generation(), row.masterEpoch(), row.location(), gone);
    }

    /** Whatever was decided on the row before it was marked has long arrived, and was refused. */
    private boolean isOld(MetadataRow row) throws BigtableException, InterruptedException {
        Optional<Long> since = ports.metadata().changedMicros(row.id());
        return since.isPresent() && nowMicros() - since.get() >= graces.goneRowMillis() * 1_000;
    }

    /** Removes those that were seen. Whether there may be more, for which the rows have to be seen again. */
    boolean remove() throws BigtableException, InterruptedException {
        boolean more = areMore;
        for (MetadataRow row : due.values()) {
            try {
                ports.metadata().remove(row);
                tally.removedRow();
            } catch (RejectedException changed) {
                log.debug("{}: {}", row.id(), changed.getMessage());
            }
        }
        due.clear();
        nameBytes = 0;
        areMore = false;
        return more;
    }

    /** When the sweep met the first such row: once for all of them. */
    private long nowMicros() throws BigtableException {
        if (nowMicros.isEmpty()) {
            nowMicros = OptionalLong.of(new ServiceTime(ports.locks(), ports.lock()).micros());
        }
        return nowMicros.getAsLong();
    }
}
