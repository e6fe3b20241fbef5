package bt.master;

import bt.base.BigtableException;
import bt.metadata.MetadataRow;
import java.util.Optional;
import java.util.OptionalLong;

/** Removes rows of METADATA that were marked gone long ago; in a dry run none. One thread. */
final class GoneRows {
    private final Sweep.Ports ports;
    private final Graces graces;
    private final SweepTally tally;
    private final boolean dry;
    private OptionalLong nowMicros = OptionalLong.empty();

    GoneRows(Sweep.Ports ports, Graces graces, SweepTally tally, boolean dry) {
        this.ports = ports;
        this.graces = graces;
        this.tally = tally;
        this.dry = dry;
    }

    /** Whatever was decided on the row before it was marked has long arrived, and was refused. */
    void removeInTime(MetadataRow row) throws BigtableException, InterruptedException {
        Optional<Long> since = ports.metadata().changedMicros(row.id());
        if (since.isPresent() && nowMicros() - since.get() >= graces.goneRowMillis() * 1_000 && !dry) {
            ports.metadata().remove(row);
            tally.removedRow();
        }
    }

    /** When the sweep met the first such row: once for all of them. */
    private long nowMicros() throws BigtableException {
        if (nowMicros.isEmpty()) {
            nowMicros = OptionalLong.of(new ServiceTime(ports.locks(), ports.lock()).micros());
        }
        return nowMicros.getAsLong();
    }
}
