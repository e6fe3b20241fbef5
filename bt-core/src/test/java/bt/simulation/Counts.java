package bt.simulation;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** How often what happened in many lives. Any thread. */
final class Counts {
    private final Map<Enum<?>, Long> sums = new HashMap<>();

    synchronized void add(Map<Enum<?>, Long> life) {
        life.forEach((event, times) -> sums.merge(event, times, Long::sum));
    }

    /** Those of an enum, in its order, each with its number. */
    synchronized <E extends Enum<E>> String line(Class<E> kind) {
        return Arrays.stream(kind.getEnumConstants())
                .filter(sums::containsKey)
                .map(each -> each + " " + sums.get(each))
                .collect(Collectors.joining(", "));
    }

    /** Those that never were. */
    synchronized <E extends Enum<E>> List<E> missing(Class<E> kind) {
        return Arrays.stream(kind.getEnumConstants())
                .filter(each -> !sums.containsKey(each))
                .toList();
    }
}
