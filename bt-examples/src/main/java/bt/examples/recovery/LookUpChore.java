package bt.examples.recovery;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.client.Table;

/** Reads a row of METADATA, as a client does that does not know where a row is. */
final class LookUpChore implements Chore {
    private final Table metadata;
    private final Bytes row;

    LookUpChore(Table metadata, Bytes row) {
        this.metadata = metadata;
        this.row = row;
    }

    /** Whether there is such a row does not matter: its tablet has to say so. */
    @Override
    public void carryOut(long number) throws BigtableException {
        metadata.read(row);
    }

    @Override
    public long lostWrites() {
        return 0;
    }
}
