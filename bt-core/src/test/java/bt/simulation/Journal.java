package bt.simulation;

import bt.testing.SimScheduler;
import bt.testing.history.Anomaly;
import bt.testing.history.History;
import bt.testing.history.Operation;
import bt.testing.history.Operation.Result;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What all clients of a simulated life did and saw. Used by whoever holds the baton. */
final class Journal {
    private final SimScheduler scheduler;
    private final History history = new History();
    private final List<Anomaly> anomalies = new ArrayList<>();
    private final Set<String> acknowledgedNodes = new LinkedHashSet<>();

    Journal(SimScheduler scheduler) {
        this.scheduler = scheduler;
    }

    long nowNanos() {
        return scheduler.elapsed().toNanos();
    }

    History history() {
        return history;
    }

    long begin(Operation operation) {
        return history.begin(operation);
    }

    void end(long number, Result told) {
        history.end(number, told, nowNanos());
    }

    void read(Operation read) {
        history.add(read);
    }

    void saw(Anomaly anomaly) {
        anomalies.add(anomaly);
    }

    void acknowledgedNode(String row) {
        acknowledgedNodes.add(row);
    }

    Set<String> acknowledgedNodes() {
        return acknowledgedNodes;
    }

    /** Those that could be seen at once. */
    List<Anomaly> anomalies() {
        return anomalies;
    }
}
