package bt.tabletserver;

import bt.base.BigtableException.Outcome;
import bt.base.CorruptionException;
import bt.metadata.MetadataRow;
import bt.model.TableSchema;

/** What a client is told of a damaged file: of which rows of which table it is, before the file and the place in it. */
final class TabletDamage {
    private TabletDamage() {}

    /** Nothing was applied: what writes is evaluated first. */
    static CorruptionException of(TableSchema table, MetadataRow row, CorruptionException damage) {
        CorruptionException told = new CorruptionException(
                "table " + table.name() + ", " + row.id().rows(row.previousEndRow()) + ": " + damage.getMessage(),
                Outcome.NOT_APPLIED);
        told.initCause(damage);
        return told;
    }

    static CorruptionException of(HostedTablet hosted, CorruptionException damage) {
        return of(hosted.tablet().schema(), hosted.row().row(), damage);
    }
}
