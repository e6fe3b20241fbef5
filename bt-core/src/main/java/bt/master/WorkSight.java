package bt.master;

import bt.model.TabletId;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
        return sight.unserved(needed.toList()).stream()
                .flatMap(tablet ->
                        whyOffline.apply(tablet).stream().map(why -> tablet.inWords() + " is not served: " + why))
                .findFirst();
    }
}
