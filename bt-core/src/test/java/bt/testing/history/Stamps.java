package bt.testing.history;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * One timestamp for each value: what its writer was told, and what every read shows beside it. A value is written to a row
 * by one operation alone, so whoever tells another timestamp is wrong, or whoever told the first.
 */
public final class Stamps {
    private final Map<Place, Stamp> first = new HashMap<>();

    /** What a value is written at, says its writer's answer. */
    public Optional<Anomaly> told(String row, String value, long timestamp) {
        return said(new Place(row, value), new Stamp(timestamp, "was said to be written at"));
    }

    /** What a value is written at, as somebody read it. */
    public Optional<Anomaly> seen(String row, String value, long timestamp) {
        return said(new Place(row, value), new Stamp(timestamp, "was read at"));
    }

    private Optional<Anomaly> said(Place place, Stamp stamp) {
        Stamp before = first.putIfAbsent(place, stamp);
        return before == null || before.timestamp == stamp.timestamp
                ? Optional.empty()
                : Optional.of(new Anomaly("timestamp", place.row, place.value + " " + before + ", and " + stamp));
    }

    private record Place(String row, String value) {}

    private record Stamp(long timestamp, String how) {
        @Override
        public String toString() {
            return how + " " + timestamp;
        }
    }
}
