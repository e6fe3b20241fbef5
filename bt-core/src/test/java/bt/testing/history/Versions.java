package bt.testing.history;

import bt.testing.history.Operation.Kind;
import bt.testing.history.Operation.Result;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Every write once: all versions of a row of which the cluster keeps all, against what was written. A value is written by
 * one operation alone, so a version tells which one it was.
 */
public final class Versions {
    private Versions() {}

    /**
     * What is wrong with one row.
     *
     * @param found what the row holds when all is over, the newest first
     */
    public static List<Anomaly> check(String row, List<Operation> operations, List<String> found) {
        Map<String, Operation> authors = new HashMap<>();
        for (Operation operation : operations) {
            if (operation.kind() != Kind.READ) {
                operation.value().ifPresent(value -> authors.put(value, operation));
            }
        }
        List<Anomaly> anomalies = new ArrayList<>();
        for (int i = 0; i < found.size(); i++) {
            String value = found.get(i);
            Operation author = authors.get(value);
            if (found.indexOf(value) < i) {
                anomalies.add(new Anomaly("applied twice", row, value + " is there twice: " + found));
            } else if (author == null) {
                anomalies.add(new Anomaly("invented", row, value + " was written by nobody"));
            } else if (!author.mayHaveWritten()) {
                anomalies.add(new Anomaly("refused and done", row, "is there all the same: " + author));
            }
        }
        anomalies.addAll(lost(row, operations, found, authors));
        anomalies.addAll(resurrected(row, operations, found, authors));
        order(row, found, authors).ifPresent(anomalies::add);
        return anomalies;
    }

    /** What was acknowledged, and no deletion can have come after, is there. */
    private static List<Anomaly> lost(
            String row, List<Operation> operations, List<String> found, Map<String, Operation> authors) {
        List<Operation> deletions = operations.stream()
                .filter(each -> each.mayHaveWritten() && each.value().isEmpty())
                .toList();
        List<Operation> there = authors(found, authors);
        return operations.stream()
                .filter(each -> each.kind() != Kind.READ && each.result() == Result.DONE)
                .filter(each ->
                        each.value().isPresent() && !found.contains(each.value().get()))
                // A deletion would have taken what is older too.
                .filter(each -> deletions.stream().allMatch(deletion -> deletion.precedes(each))
                        || there.stream().anyMatch(older -> older.precedes(each)))
                .map(each -> new Anomaly("lost", row, "acknowledged and not among " + found + ": " + each))
                .toList();
    }

    /** What was over before a deletion began that was acknowledged is gone. */
    private static List<Anomaly> resurrected(
            String row, List<Operation> operations, List<String> found, Map<String, Operation> authors) {
        List<Operation> deletions = operations.stream()
                .filter(each -> each.kind() != Kind.READ && each.result() == Result.DONE)
                .filter(each -> each.value().isEmpty())
                .toList();
        return authors(found, authors).stream()
                .filter(author -> deletions.stream().anyMatch(author::precedes))
                .map(author -> new Anomaly("resurrected", row, "was deleted and is among " + found + ": " + author))
                .toList();
    }

    private static List<Operation> authors(List<String> found, Map<String, Operation> authors) {
        return found.stream().map(authors::get).filter(Objects::nonNull).toList();
    }

    private static Optional<Anomaly> order(String row, List<String> found, Map<String, Operation> authors) {
        Optional<Operation> firstOver = Optional.empty();
        for (Operation author : authors(found, authors)) {
            if (firstOver.isPresent() && firstOver.get().precedes(author)) {
                return Optional.of(new Anomaly(
                        "order",
                        row,
                        "was over before " + author + " began, and is the newer version: " + firstOver.get()));
            }
            if (firstOver.isEmpty() || author.endedNanos() < firstOver.get().endedNanos()) {
                firstOver = Optional.of(author);
            }
        }
        return Optional.empty();
    }
}
