package bt.master;

import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.metadata.MetadataRow;
import bt.metadata.SplitIntent;
import java.util.Optional;

/** The tablets of a table from its first row on, each of which begins where the one before ends: where the last of them ends. */
record RowChain(Optional<Bytes> endRow, boolean hasLast) {
    static final RowChain START = new RowChain(Optional.empty(), false);

    /**
     * With the next row, which may be one that is marked gone; empty where a tablet is missing between, or there are two. The lower half
     * of a split that has no row yet stands in the upper half's.
     */
    Optional<RowChain> then(MetadataRow row) throws CorruptionException {
        if (row.gone()) {
            return Optional.of(this);
        }
        RowChain before = this;
        for (SplitIntent split : SplitIntent.of(row)) {
            before = before.followedBy(split.lower()).orElse(before);
        }
        return before.followedBy(row);
    }

    private Optional<RowChain> followedBy(MetadataRow row) {
        return !hasLast && row.previousEndRow().equals(endRow)
                ? Optional.of(new RowChain(row.id().endRow(), row.id().endRow().isEmpty()))
                : Optional.empty();
    }
}
