package bt.master;

import bt.model.TabletId;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * What is known of the tablets in which somebody has work done, when he is told of it.
 *
 * @param tablets by table, as the last pass saw them that saw all
 * @param sight what servers said last
 * @param whyOffline of a tablet that no server serves, as far as anybody knows
 */
record WorkSight(Map<Long, Set<TabletId>> tablets, Sight sight, Function<TabletId, Optional<String>> whyOffline) {

    Set<TabletId> tablets(long tableId) {
        return tablets.getOrDefault(tableId, Set.of());
    }

    /** Of the first of these that is not served, which it is and why. */
    Optional<String> unserved(Stream<TabletId> needed) {
        Map<TabletId, String> reasons = new TreeMap<>();
        needed.filter(tablet -> !sight.isServed(tablet))
                .forEach(tablet -> whyOffline.apply(tablet).ifPresent(why -> reasons.put(tablet, why)));
        return reasons.entrySet().stream()
                .findFirst()
                .map(first -> first.getKey() + " is not served: " + first.getValue());
    }
}
