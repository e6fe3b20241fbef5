package bt.testing;

import bt.base.Bytes;
import bt.metadata.MetadataSchema;
import bt.model.Change;
import bt.protocol.Service;
import bt.protocol.Write;
import bt.protocol.WriteId;
import bt.testing.history.Anomaly;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Looks on where METADATA is changed: each generation of a row may be written by one change alone, for every change is
 * decided on the row as the one before has left it. Two of one generation are hard to tell by what becomes of the tablet: the
 * later one hides the earlier, and most often says the same. Used by whoever holds the baton.
 */
final class GenerationWatch {
    private final Map<Bytes, Map<Long, WriteId>> rows = new HashMap<>();
    private final List<Anomaly> anomalies = new ArrayList<>();

    List<Anomaly> anomalies() {
        return anomalies;
    }

    /** The same service, looked at. */
    Service over(Service server) {
        return MetadataChanges.over(server, this::applied);
    }

    private void applied(Write write) {
        Bytes row = write.mutation().row();
        Optional<Long> generation = generation(write);
        if (generation.isEmpty()) {
            // The row is removed, and may begin anew.
            rows.remove(row);
            return;
        }
        WriteId before = rows.computeIfAbsent(row, first -> new HashMap<>()).putIfAbsent(generation.get(), write.id());
        if (before != null
                && (before.client() != write.id().client()
                        || before.number() != write.id().number())) {
            anomalies.add(new Anomaly(
                    "generations", row.toString(), "METADATA's generation " + generation.get() + " was written twice"));
        }
    }

    /** It is the timestamp of all that a change writes of the tablet. */
    private static Optional<Long> generation(Write write) {
        return write.mutation().changes().stream()
                .filter(Change.SetCell.class::isInstance)
                .map(Change.SetCell.class::cast)
                .filter(set -> set.column().family().equals(MetadataSchema.LOCATION))
                .map(Change.SetCell::timestamp)
                .findFirst();
    }
}
