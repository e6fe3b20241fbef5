package bt.metadata;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.UnavailableException;
import bt.metadata.MetadataTable.DamagedRow;
import bt.model.RowRange;
import bt.model.TableSchema;
import bt.model.TabletId;
import java.util.Optional;

/**
 * What METADATA says of a row: its tablet, the range of that, and its place if somebody serves it, else the reason why not.
 * Nobody's is a tablet that no server has, or is asked to load: for a moment, or because its table is dropped. Damage is why
 * the last server that was asked could not load it. Where METADATA's own row of the tablet cannot be understood, nothing but
 * its end is known: the range begins with the row that was looked for.
 */
public record Whereabouts(
        Optional<TabletId> tablet,
        RowRange range,
        Optional<TabletPlace> place,
        boolean isNobodys,
        String reason,
        Optional<String> damage,
        Optional<DamagedRow> damagedRow) {
    /** No tablet has the row: the table is being created, or was dropped. */
    public static final Whereabouts NOWHERE = new Whereabouts(
            Optional.empty(),
            RowRange.of(Bytes.EMPTY, Bytes.EMPTY),
            Optional.empty(),
            true,
            "METADATA has no tablet for it",
            Optional.empty(),
            Optional.empty());

    static Whereabouts at(TabletPlace place) {
        return new Whereabouts(
                Optional.of(place.id()),
                place.range(),
                Optional.of(place),
                false,
                "",
                Optional.empty(),
                Optional.empty());
    }

    static Whereabouts untold(TabletId tablet, Bytes row, DamagedRow damaged) {
        return new Whereabouts(
                Optional.of(tablet),
                new RowRange(row, tablet.endRow().map(Bytes::successor)),
                Optional.empty(),
                false,
                "",
                Optional.empty(),
                Optional.of(damaged));
    }

    /**
     * For whoever cannot go on without a place: CORRUPTION, for which nobody should wait, or UNAVAILABLE. Nothing was sent, so
     * nothing was applied.
     */
    public BigtableException unserved(TableSchema table, Bytes row) {
        return damagedRow.isPresent()
                ? untold("table " + table.name() + ", ", damagedRow.get())
                : unserved(table.id(), row);
    }

    /** The same for who does not know the table's name. */
    BigtableException unserved(long tableId, Bytes row) {
        if (damagedRow.isPresent()) {
            return untold("", damagedRow.get());
        }
        // Of a user's table whoever asks knows the name, and says it.
        String subject = (tableId == TableSchema.METADATA_ID ? "METADATA row " : "row ") + row.brief() + ": ";
        return damage.isPresent()
                ? new CorruptionException(damage.get(), Outcome.NOT_APPLIED)
                : new UnavailableException(subject + reason, Outcome.NOT_APPLIED);
    }

    private static BigtableException untold(String subject, DamagedRow damaged) {
        return new CorruptionException(subject + damaged.inWords(), Outcome.NOT_APPLIED).causedBy(damaged.why());
    }
}
