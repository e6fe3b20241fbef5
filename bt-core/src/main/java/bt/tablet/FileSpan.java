package bt.tablet;

import bt.model.TableSchema;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * What is known of a new file's content before it is written: the schema that it follows, sequences and highest server
 * timestamp of the changes, how far a compaction has judged them, and of each family when the earliest were made that it
 * has not judged.
 */
record FileSpan(
        TableSchema schema,
        long smallestSequence,
        long largestSequence,
        long highestServerTimestamp,
        CompactionScope judged,
        Map<Integer, Unjudged> unjudged) {
    FileSpan {
        // By family: what is told of a file is in the same order in every process.
        unjudged = Collections.unmodifiableMap(new TreeMap<>(unjudged));
    }

    /**
     * When the earliest deletion was made, and the earliest put that may hide something, in microseconds; 0 where there is
     * none. No version was garbage by its age earlier than {@code expiryMicros}, when it may not even have been written. By
     * which rule all this is told.
     */
    record Unjudged(long deletionMicros, long putMicros, long expiryMicros, String rule) {
        static final Unjudged NOTHING = new Unjudged(0, 0, 0, "");
    }
}
