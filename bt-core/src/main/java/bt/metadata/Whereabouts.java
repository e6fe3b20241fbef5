package bt.metadata;

import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.UnavailableException;
import bt.model.RowRange;
import java.util.Optional;

/**
 * What METADATA says of a row: the range of its tablet, and its place if somebody serves it, else the reason why not.
 * Nobody's is a tablet that no server has, or is asked to load: for a moment, or because its table is dropped.
 */
public record Whereabouts(RowRange range, Optional<TabletPlace> place, boolean isNobodys, String reason) {
    /** No tablet has the row: the table is being created, or was dropped. */
    public static final Whereabouts NOWHERE = new Whereabouts(
            RowRange.of(Bytes.EMPTY, Bytes.EMPTY), Optional.empty(), true, "METADATA has no tablet for it");

    static Whereabouts at(TabletPlace place) {
        return new Whereabouts(place.range(), Optional.of(place), false, "");
    }

    /** For whoever cannot go on without a place. Nothing was sent, so nothing was applied. */
    public UnavailableException unserved(long tableId, Bytes row) {
        return new UnavailableException("table " + tableId + " row " + row + ": " + reason, Outcome.NOT_APPLIED);
    }
}
