package bt.tablet;

import bt.model.TableSchema;

/**
 * What is known of a new file's content before it is written: the schema that it follows, sequences and highest server
 * timestamp of the changes, and when the earliest deletion among them can have been made, in microseconds; 0 where nobody
 * knows.
 */
record FileSpan(
        TableSchema schema,
        long smallestSequence,
        long largestSequence,
        long highestServerTimestamp,
        long oldestDeletionMicros) {}
