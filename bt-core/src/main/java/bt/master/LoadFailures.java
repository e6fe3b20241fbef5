package bt.master;

import bt.model.TableSchema;
import bt.model.TabletId;
import bt.record.TabletReport;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongFunction;

/**
 * Why tablets are not served: of each what the last server said that could not load it, until it is served. A server tells of a
 * failure only until it is asked for the tablet again, or to give it up. Owned by the master's thread.
 */
final class LoadFailures {
    private final Map<TabletId, String> failures = new TreeMap<>();

    /** What the servers say now. */
    void saw(Sight sight) {
        for (Poll.Holdings holdings : sight.answered().values()) {
            for (Map.Entry<TabletId, TabletReport> entry : holdings.tablets().entrySet()) {
                if (entry.getValue().getFailure() != null) {
                    failures.put(entry.getKey(), entry.getValue().getFailure());
                }
            }
        }
        // Another server may have it than the one that failed.
        failures.keySet().retainAll(sight.unserved(failures.keySet()));
    }

    /** Of those that the pass, which could read all of METADATA, has not found as they should be: others are merged away, or dropped. */
    void keepUnsettled(Pass pass) {
        failures.keySet().removeIf(tablet -> !pass.isUnsettled(tablet));
    }

    Optional<String> of(TabletId tablet) {
        return Optional.ofNullable(failures.get(tablet));
    }

    /** A line of each, with the name that its table has. */
    List<String> problems(LongFunction<String> names) {
        return failures.entrySet().stream()
                .map(entry -> inWords(entry.getKey(), names) + " is offline: " + entry.getValue())
                .toList();
    }

    private static String inWords(TabletId tablet, LongFunction<String> names) {
        return tablet.tableId() == TableSchema.METADATA_ID
                ? MetadataPart.upTo(tablet, names)
                : "table " + names.apply(tablet.tableId()) + ": " + tablet.inWords();
    }
}
