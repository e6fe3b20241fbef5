package bt.simulation;

import bt.testing.SimScheduler;
import bt.testing.history.Addition;
import bt.testing.history.Additions.Seen;
import bt.testing.history.Anomaly;
import bt.testing.history.History;
import bt.testing.history.Operation;
import bt.testing.history.Operation.Result;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What all clients of a simulated life did and saw. Used by whoever holds the baton. */
final class Journal {
    private final SimScheduler scheduler;
    private final History history = new History();
    private final List<Anomaly> anomalies = new ArrayList<>();
    private final Map<String, List<Addition>> additions = new TreeMap<>();
    private final Map<String, List<Seen>> seen = new TreeMap<>();
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

    /** To one value; the number by which it is answered. */
    int begin(String value, Addition addition) {
        List<Addition> ofValue = additions.computeIfAbsent(value, first -> new ArrayList<>());
        ofValue.add(addition);
        return ofValue.size() - 1;
    }

    void end(String value, int number, Addition told) {
        additions(value).set(number, told);
    }

    void saw(String value, Seen what) {
        seen.computeIfAbsent(value, first -> new ArrayList<>()).add(what);
    }

    /** To one value, in the order in which they began. */
    List<Addition> additions(String value) {
        return additions.getOrDefault(value, List.of());
    }

    /** Of one value. */
    List<Seen> seen(String value) {
        return seen.getOrDefault(value, List.of());
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
