package bt.simulation;

import bt.base.Bytes;
import bt.model.Cell;
import bt.model.Row;
import bt.testing.history.Anomaly;
import bt.testing.history.Chain;
import bt.testing.history.Operation;
import bt.testing.history.Versions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** What the table holds when all is over, against what its clients were told. */
final class Remains {
    private Remains() {}

    /**
     * What is wrong with one account.
     *
     * @param operations what clients did to it
     * @param read as it is when it is read alone
     * @param scanned as it is in a scan of the whole table
     */
    static List<Anomaly> account(
            String account, List<Operation> operations, Optional<Row> read, Optional<Row> scanned) {
        List<Anomaly> wrong = new ArrayList<>();
        read.flatMap(Layout::torn).ifPresent(wrong::add);
        if (!read.map(Row::cells).equals(scanned.map(Row::cells))) {
            wrong.add(new Anomaly("scan", account, "a scan sees " + scanned + ", a read " + read));
        }
        List<String> left = read.map(found -> Layout.tags(found, Layout.LEFT)).orElse(List.of());
        List<String> right = read.map(found -> Layout.tags(found, Layout.RIGHT)).orElse(List.of());
        wrong.addAll(Versions.check(account, operations, left));
        if (!right.equals(left.subList(0, Math.min(Layout.VERSIONS, left.size())))) {
            wrong.add(new Anomaly(
                    "version limit",
                    account,
                    "the newest " + Layout.VERSIONS + " of " + left + " are to be kept, there are " + right));
        }
        return wrong;
    }

    /**
     * What is wrong with the linked list.
     *
     * @param there all rows
     * @param acknowledged the nodes that were said to be written
     */
    static List<Anomaly> nodes(Map<String, Row> there, Set<String> acknowledged) {
        List<Anomaly> wrong = new ArrayList<>();
        Map<String, String> links = new TreeMap<>();
        there.forEach((key, row) -> {
            if (key.contains(Layout.NODE)) {
                links.put(key, row.value(Layout.LINK).map(Bytes::toUtf8).orElse(""));
                long versions = row.cells().stream()
                        .map(Cell::column)
                        .filter(Layout.LINK::equals)
                        .count();
                if (versions != 1) {
                    wrong.add(new Anomaly("applied twice", key, row.cells().toString()));
                }
            }
        });
        wrong.addAll(Chain.check(links));
        acknowledged.stream()
                .filter(node -> !links.containsKey(node))
                .forEach(node -> wrong.add(new Anomaly("lost", node, "was acknowledged and is not there")));
        return wrong;
    }

    /** What is wrong with the order in which a scan of the whole table shows rows. */
    static List<Anomaly> order(List<String> keys) {
        List<Anomaly> wrong = new ArrayList<>();
        for (int i = 1; i < keys.size(); i++) {
            if (keys.get(i).compareTo(keys.get(i - 1)) <= 0) {
                wrong.add(new Anomaly("scan", keys.get(i), "comes after " + keys.get(i - 1)));
            }
        }
        return wrong;
    }
}
