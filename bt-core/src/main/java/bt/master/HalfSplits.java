package bt.master;

import bt.base.BigtableException;
import bt.base.RejectedException;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataTable;
import bt.metadata.SplitIntent;
import bt.model.TabletId;
import bt.record.TabletState;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does the rest of splits whose servers died in the middle, or are just about to do it. Owned by the master's thread. */
final class HalfSplits {
    private static final Logger log = LoggerFactory.getLogger(HalfSplits.class);

    private final MetadataTable metadata;
    private final Hindrances hindrances;

    HalfSplits(MetadataTable metadata, Hindrances hindrances) {
        this.metadata = metadata;
        this.hindrances = hindrances;
    }

    /**
     * True when nothing was to be done: else the row is another by now, and there is one more, for the next pass; or a half's
     * row cannot be written now, because METADATA's tablet for it is not there or takes no writes, and the split waits.
     */
    boolean complete(MetadataRow row, Predicate<TabletId> isThere) throws BigtableException, InterruptedException {
        List<SplitIntent> splits = SplitIntent.of(row);
        if (splits.isEmpty()) {
            return true;
        }
        if (!splits.stream().allMatch(split -> isThere.test(split.lower().id()))) {
            hindrances.unread(row.id());
            return false;
        }
        List<TabletId> rows = new ArrayList<>(List.of(row.id()));
        splits.forEach(split -> rows.add(split.lower().id()));
        return hindrances.attempt(rows, () -> {
            complete(row, splits);
            return false;
        });
    }

    private void complete(MetadataRow row, List<SplitIntent> splits) throws BigtableException, InterruptedException {
        TabletState rest = row.state();
        for (SplitIntent split : splits) {
            metadata.complete(split);
            rest = split.removedFrom(rest);
        }
        try {
            metadata.replace(row, row.location(), rest, "the lower half has its row");
        } catch (RejectedException overtaken) {
            log.debug("{}: its server was quicker: {}", row.id(), overtaken.getMessage());
        }
    }
}
