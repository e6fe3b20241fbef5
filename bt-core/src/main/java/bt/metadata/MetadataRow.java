package bt.metadata;

import static bt.base.Check.checkArgument;

import bt.base.AvroBytes;
import bt.base.Bytes;
import bt.base.SharedIds;
import bt.model.RowRange;
import bt.model.TabletId;
import bt.record.TabletLocation;
import bt.record.TabletState;
import java.util.Optional;

/**
 * What METADATA holds of a tablet, as it was read. The generation rises by one with every change; the root tablet's is
 * the version of its file. Master epoch is the highest of a master that changed the row, 0 if none did. Location and
 * state are never changed in place: {@code TabletState.newBuilder(row.state())} makes the next one. The damage for which the
 * server of this generation could not load the tablet is of this generation alone; the root tablet's row tells of none.
 */
public record MetadataRow(
        TabletId id,
        long generation,
        long masterEpoch,
        TabletLocation location,
        TabletState state,
        Optional<String> damage) {
    /** Of a tablet without damage that is known. */
    public MetadataRow(TabletId id, long generation, long masterEpoch, TabletLocation location, TabletState state) {
        this(id, generation, masterEpoch, location, state, Optional.empty());
    }

    public MetadataRow {
        checkArgument(generation >= 0 && masterEpoch >= 0, "generation %d, master epoch %d", generation, masterEpoch);
        // A master has thousands of rows at a time, and a server one of each of its tablets, with as many ids for each
        // file.
        state.getFiles().forEach(file -> file.setFamilies(SharedIds.of(file.getFamilies())));
    }

    /** The end row of the tablet before; empty for the table's first. */
    public Optional<Bytes> previousEndRow() {
        return AvroBytes.optionalBytes(state.getPreviousEndRow());
    }

    public RowRange range() {
        return id.range(previousEndRow());
    }

    /** Left behind by a split, a merge or a dropped table; kept for a day so that a late write cannot revive it. */
    public boolean gone() {
        return state.getGone();
    }
}
