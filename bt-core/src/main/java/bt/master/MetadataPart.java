package bt.master;

import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.metadata.MetadataKeys;
import bt.metadata.MetadataSchema;
import bt.model.TabletId;
import java.util.Optional;
import java.util.function.LongFunction;

/**
 * Tablets of METADATA by what they tell of, in the words of who knows tables and rows and has never seen a row key of
 * METADATA. The functions name tables by their ids.
 */
final class MetadataPart {
    private MetadataPart() {}

    /** As in {@code the part of METADATA from row m of table web to the end of table links}. */
    static String between(Optional<Bytes> previousEndRow, TabletId tablet, LongFunction<String> names) {
        if (tablet.equals(MetadataSchema.ROOT)) {
            return "the root tablet";
        }
        String start = previousEndRow
                .filter(row -> !row.equals(MetadataSchema.ROOT.endRow().orElseThrow()))
                .map(row -> place(row, names))
                .orElse("the first table");
        return "the part of METADATA from " + start + " to " + end(tablet, names);
    }

    /** The same of one of which nobody knows where it begins. */
    static String upTo(TabletId tablet, LongFunction<String> names) {
        return tablet.equals(MetadataSchema.ROOT)
                ? "the root tablet"
                : "the part of METADATA up to " + end(tablet, names);
    }

    private static String end(TabletId tablet, LongFunction<String> names) {
        return tablet.endRow().map(row -> place(row, names)).orElse("the last table");
    }

    private static String place(Bytes key, LongFunction<String> names) {
        try {
            TabletId last = MetadataKeys.decode(key);
            String table = " of table " + names.apply(last.tableId());
            return last.endRow().map(row -> "row " + row.brief() + table).orElse("the end" + table);
        } catch (CorruptionException anybodys) {
            // Nobody splits METADATA there: it is what a damaged row says.
            return "key " + key.brief();
        }
    }
}
