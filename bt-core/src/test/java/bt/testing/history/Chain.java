package bt.testing.history;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The linked list through the key space: each row names one that was acknowledged before it was written. What is named
 * and not there was lost.
 */
public final class Chain {
    private Chain() {}

    /**
     * The links that lead nowhere.
     *
     * @param links what is there: each row and the one that it names, empty for the first of a chain
     */
    public static List<Anomaly> check(Map<String, String> links) {
        List<Anomaly> missing = new ArrayList<>();
        links.forEach((row, named) -> {
            if (!named.isEmpty() && !links.containsKey(named)) {
                missing.add(new Anomaly("linked list", named, "is named by row " + row + " and not there"));
            }
        });
        return missing;
    }
}
