package bt.tablet;

import static bt.base.Check.checkState;

import bt.base.Bytes;
import bt.base.Slice;
import bt.model.CellKey;
import bt.sstable.Cursor;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * Recent changes, sorted. The tablet's owner thread writes; any number of threads read beside it without a lock, and see
 * a change at the latest when the tablet's read point has passed it.
 */
final class Memtable {
    /** What an entry costs beside its bytes: two Bytes with their arrays, a node, its share of the index. */
    private static final int ENTRY_OVERHEAD_BYTES = 150;

    private final ConcurrentNavigableMap<Bytes, Bytes> entries = new ConcurrentSkipListMap<>();
    private volatile long bytes;
    private volatile long smallestSequence = Long.MAX_VALUE;
    private volatile long largestSequence;
    private volatile long highestServerTimestamp;

    /** Only the owner thread. */
    void apply(ResolvedMutation mutation) {
        long added = 0;
        for (Entry entry : mutation.entries()) {
            Bytes before = entries.put(entry.key(), entry.value());
            if (before == null) {
                added += entry.key().length() + entry.value().length() + ENTRY_OVERHEAD_BYTES;
            } else {
                // A log may hold a change twice: appended again, or read from two segments.
                checkState(before.equals(entry.value()), "two changes have the key %s", entry.key());
            }
        }
        count(mutation, added);
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // One writer; volatile for its readers.
    private void count(ResolvedMutation mutation, long added) {
        bytes += added;
        smallestSequence = Math.min(smallestSequence, mutation.firstSequence());
        largestSequence = Math.max(largestSequence, mutation.lastSequence());
        highestServerTimestamp = Math.max(highestServerTimestamp, mutation.timestamp());
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    /** About how much of the heap it holds. */
    long bytes() {
        return bytes;
    }

    long smallestSequence() {
        return smallestSequence;
    }

    long largestSequence() {
        return largestSequence;
    }

    long highestServerTimestamp() {
        return highestServerTimestamp;
    }

    /** The highest sequence of the row; 0 when the row is not here. */
    long newestSequenceOf(Bytes row) {
        return entries.subMap(CellKey.rowPrefix(row), CellKey.rowEnd(row)).keySet().stream()
                .mapToLong(key -> CellKey.sequenceOf(Slice.of(key)))
                .max()
                .orElse(0);
    }

    Cursor cursor() {
        return new MapCursor(entries);
    }

    private static final class MapCursor implements Cursor {
        private final ConcurrentNavigableMap<Bytes, Bytes> entries;
        private final Slice key = new Slice();
        private final Slice value = new Slice();
        private Iterator<Map.Entry<Bytes, Bytes>> following;
        private Map.@Nullable Entry<Bytes, Bytes> current;

        MapCursor(ConcurrentNavigableMap<Bytes, Bytes> entries) {
            this.entries = entries;
            this.following = entries.entrySet().iterator();
        }

        @Override
        public boolean seek(Bytes atOrAfter) {
            following = entries.tailMap(atOrAfter, true).entrySet().iterator();
            return next();
        }

        @Override
        public boolean next() {
            current = following.hasNext() ? following.next() : null;
            return current != null;
        }

        @Override
        public Slice key() {
            key.moveTo(entry().getKey());
            return key;
        }

        @Override
        public Slice value() {
            value.moveTo(entry().getValue());
            return value;
        }

        private Map.Entry<Bytes, Bytes> entry() {
            return Objects.requireNonNull(current, "the cursor stands at no entry");
        }
    }
}
