package bt.simulation;

import bt.base.BigtableException;
import bt.base.BigtableException.Kind;
import bt.model.Cell;
import bt.model.Row;
import bt.testing.SimScheduler;
import bt.testing.history.Addition;
import bt.testing.history.Additions.Seen;
import bt.testing.history.Anomaly;
import bt.testing.history.History;
import bt.testing.history.Operation;
import bt.testing.history.Operation.Result;
import bt.testing.history.Stamps;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What all clients of a simulated life did and saw. Used by whoever holds the baton. */
final class Journal {
    /** Links in either direction that say enough of a chain. */
    private static final int NEAR = 4;

    private final SimScheduler scheduler;
    private final History history = new History();
    private final List<Anomaly> anomalies = new ArrayList<>();
    private final Stamps stamps = new Stamps();
    private final Map<String, List<Addition>> additions = new TreeMap<>();
    private final Map<String, List<Seen>> seen = new TreeMap<>();

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

    /** What a write was answered: when its value was written, and 0 of a deletion. */
    void told(Operation write, long answer) {
        String row = write.row();
        if (write.value().isPresent()) {
            stamps.told(row, write.value().get(), answer).ifPresent(this::saw);
        } else if (answer != 0) {
            saw(new Anomaly("timestamp", row, "a deletion of " + write.client() + " was answered " + answer));
        }
    }

    /** A row, or some of its cells. */
    void saw(Row row) {
        String key = row.key().toUtf8();
        for (Cell cell : row.cells()) {
            Layout.written(cell)
                    .flatMap(value -> stamps.seen(key, value, cell.timestamp()))
                    .ifPresent(this::saw);
        }
    }

    void read(Operation read) {
        history.add(read);
    }

    void saw(Anomaly anomaly) {
        anomalies.add(anomaly);
    }

    /** Trouble makes a cluster late and its answers uncertain; it makes no request wrong and no file damaged. */
    void failed(String row, BigtableException failure) {
        if (failure.kind() != Kind.UNAVAILABLE && failure.kind() != Kind.OVERLOADED) {
            saw(new Anomaly("error", row, failure.kind() + ": " + failure.getMessage()));
        }
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

    /** Of which clients added something or saw something. */
    Set<String> values() {
        Set<String> values = new TreeSet<>(additions.keySet());
        values.addAll(seen.keySet());
        return values;
    }

    /** Nodes of the linked list that were said to be written. */
    Set<String> acknowledgedNodes() {
        return history.rows().entrySet().stream()
                .filter(row -> row.getKey().contains(Layout.NODE)
                        && row.getValue().stream().anyMatch(each -> each.result() == Result.DONE))
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** A node, those that it leads to, and those that lead to it: the nearest first, not more than a few of each. */
    List<String> chain(String node) {
        Map<String, String> named = new TreeMap<>();
        history.rows().forEach((row, operations) -> {
            if (row.contains(Layout.NODE)) {
                operations.forEach(each -> named.put(row, each.value().orElse("")));
            }
        });
        List<String> chain = new ArrayList<>(List.of(node));
        String next = named.getOrDefault(node, "");
        for (int i = 0; i < NEAR && !next.isEmpty(); i++) {
            chain.add(next);
            next = named.getOrDefault(next, "");
        }
        List<String> leading = List.of(node);
        for (int i = 0; i < NEAR && !leading.isEmpty(); i++) {
            List<String> to = leading;
            leading = named.keySet().stream()
                    .filter(row -> to.contains(named.get(row)))
                    .limit(NEAR)
                    .toList();
            chain.addAll(leading);
        }
        return chain;
    }

    /** Those that could be seen at once. */
    List<Anomaly> anomalies() {
        return anomalies;
    }
}
