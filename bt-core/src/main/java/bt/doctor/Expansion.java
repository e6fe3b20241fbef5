package bt.doctor;

import bt.base.CorruptionException;
import bt.metadata.MetadataRow;
import bt.metadata.SeenRow;
import bt.metadata.SplitIntent;
import bt.model.TabletId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The tablets that a row of METADATA stands for: its own, and before it the lower half of a split that has no row of its own
 * yet. Until that is written the intent counts as if it were: its rows are served, its files and logs needed.
 */
final class Expansion {
    private Expansion() {}

    /** A tablet that is there, and when its row was last changed. */
    record Living(MetadataRow row, long changedMicros) {}

    /** {@code before} is the tablet of the row before, if there is one: it may be that half. In the order of their keys. */
    static List<Living> of(SeenRow seen, Optional<TabletId> before) throws CorruptionException {
        List<Living> tablets = new ArrayList<>();
        if (seen.row().isPresent()) {
            MetadataRow row = seen.row().get();
            for (SplitIntent split : SplitIntent.of(row)) {
                TabletId lower = split.lower().id();
                if (before.isEmpty() || lower.compareTo(before.get()) > 0) {
                    tablets.add(new Living(split.lower(), seen.changedMicros()));
                }
            }
            tablets.sort((one, other) -> one.row.id().compareTo(other.row.id()));
            tablets.add(new Living(row, seen.changedMicros()));
        }
        return tablets;
    }
}
