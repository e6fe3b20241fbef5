package bt.metadata;

import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.UnavailableException;
import bt.model.RowRange;
import java.util.Optional;

/** What METADATA says of a row: the range of its tablet, and its place if somebody serves it, else the reason why not. */
public record Whereabouts(RowRange range, Optional<TabletPlace> place, String reason) {
    /** No tablet has the row: the table is being created, or was dropped. */
    public static final Whereabouts NOWHERE =
            new Whereabouts(RowRange.of(Bytes.EMPTY, Bytes.EMPTY), Optional.empty(), "METADATA has no tablet for it");

    static Whereabouts at(TabletPlace place) {
        return new Whereabouts(place.range(), Optional.of(place), "");
    }

    /** For whoever cannot go on without a place. Nothing was sent, so nothing was applied. */
    public UnavailableException unserved(long tableId, Bytes row) {
        return new UnavailableException("table " + tableId + " row " + row + ": " + reason, Outcome.NOT_APPLIED);
    }
}
