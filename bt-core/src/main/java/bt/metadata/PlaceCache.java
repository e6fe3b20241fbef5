package bt.metadata;

import static bt.base.Check.checkArgument;

import bt.base.Bytes;
import bt.model.RowRange;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Places by the METADATA key of their tablet, a bounded number of them. Any thread; finding takes no lock. What does not
 * fit is made room for in key order, just before what was put last: a scan passes there and does not come back, and for
 * rows read at random any victim is as good as another.
 */
final class PlaceCache {
    private final int bound;
    private final ConcurrentSkipListMap<Bytes, TabletPlace> places = new ConcurrentSkipListMap<>();
    /** Counted apart: the map would walk through all its entries. */
    private final AtomicInteger size = new AtomicInteger();

    PlaceCache(int bound) {
        checkArgument(bound > 0, "a cache of %d places", bound);
        this.bound = bound;
    }

    Optional<TabletPlace> find(long tableId, Bytes row) {
        Map.Entry<Bytes, TabletPlace> entry = places.ceilingEntry(MetadataKeys.lookUp(tableId, row));
        if (entry == null || entry.getValue().id().tableId() != tableId) {
            return Optional.empty();
        }
        return Optional.of(entry.getValue()).filter(place -> place.range().contains(row));
    }

    /** Neighbours in key order, the one that was asked for first. */
    void put(List<TabletPlace> found) {
        for (TabletPlace place : found) {
            Bytes key = MetadataKeys.of(place.id());
            // A tablet that this one's range was once a part of, or that is a part of it now.
            RowRange range = place.range();
            places.subMap(MetadataKeys.lookUp(place.id().tableId(), range.start()), true, key, false)
                    .keySet()
                    .forEach(this::remove);
            if (places.put(key, place) == null) {
                size.incrementAndGet();
            }
        }
        if (!found.isEmpty()) {
            makeRoom(MetadataKeys.of(found.get(0).id()));
        }
    }

    /** Unless another place of the tablet has come in since. */
    void remove(TabletPlace place) {
        if (places.remove(MetadataKeys.of(place.id()), place)) {
            size.decrementAndGet();
        }
    }

    int size() {
        return size.get();
    }

    private void remove(Bytes key) {
        if (places.remove(key) != null) {
            size.decrementAndGet();
        }
    }

    private void makeRoom(Bytes before) {
        while (size.get() > bound) {
            Bytes victim = places.lowerKey(before);
            if (victim == null) {
                Map.Entry<Bytes, TabletPlace> last = places.lastEntry();
                if (last == null) {
                    return;
                }
                victim = last.getKey();
            }
            remove(victim);
        }
    }
}
