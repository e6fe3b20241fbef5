package bt.testing.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** All operations of all clients, row by row. Used by whoever holds the simulator's baton. */
public final class History {
    private final Map<Long, Operation> operations = new LinkedHashMap<>();
    private long numbers;

    /** A number by which the operation is answered. Until then it counts as unknown. */
    public long begin(Operation operation) {
        operations.put(++numbers, operation);
        return numbers;
    }

    /** The operation has its answer. */
    public void end(long number, Operation.Result told, long nanos) {
        operations.computeIfPresent(number, (same, open) -> open.answered(told, nanos));
    }

    /** What is known as a whole only when it is over. */
    public void add(Operation operation) {
        operations.put(++numbers, operation);
    }

    public int size() {
        return operations.size();
    }

    /** By row, each in the order in which they began. */
    public Map<String, List<Operation>> rows() {
        Map<String, List<Operation>> rows = new TreeMap<>();
        for (Operation operation : operations.values()) {
            rows.computeIfAbsent(operation.row(), first -> new ArrayList<>()).add(operation);
        }
        rows.values().forEach(row -> row.sort(Comparator.comparingLong(Operation::begunNanos)));
        return rows;
    }

    /** One row's, a line each. */
    public String of(String row) {
        StringBuilder text = new StringBuilder("history of row " + row + ":");
        rows().getOrDefault(row, List.of())
                .forEach(operation -> text.append("\n    ").append(operation));
        return text.toString();
    }
}
