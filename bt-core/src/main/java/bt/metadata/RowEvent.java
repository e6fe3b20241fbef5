package bt.metadata;

import bt.base.Bytes;
import bt.model.ColumnKey;

/**
 * Why a METADATA row is changed, in words for people, and in which of its histories that is kept: of each so many of the newest, so
 * that a tablet's compactions, which are the most, leave it its loads, moves and splits.
 */
public record RowEvent(ColumnKey history, String what) {
    /** Of the tablet: it comes, leaves, is split or merged. */
    public static RowEvent of(String what) {
        return new RowEvent(MetadataSchema.EVENTS_COLUMN, what);
    }

    /** Of its files alone. */
    public static RowEvent ofFiles(String what) {
        return new RowEvent(MetadataSchema.FILE_EVENTS_COLUMN, what);
    }

    Bytes value() {
        return Bytes.utf8(what);
    }
}
