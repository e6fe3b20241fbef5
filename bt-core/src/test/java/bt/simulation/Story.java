package bt.simulation;

import bt.base.Bytes;
import bt.metadata.MetadataKeys;
import bt.model.TableSchema;
import bt.testing.SimCluster;
import bt.testing.SimEvent;
import bt.testing.TabletEvent;
import bt.testing.history.Anomaly;
import bt.testing.history.Operation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What happened in a life that something is wrong with, in the order of virtual time, for whoever looks for the cause: what
 * concerns the rows that are wrong, and all of it.
 */
final class Story {
    /** Of rows that are wrong; a chain is one. */
    private static final int MOST_ROWS = 3;
    /** Of each kind. */
    private static final int MOST_LINES = 100;

    private final Journal journal;
    private final List<SimEvent> events;
    private final List<TabletEvent> tablets;

    Story(Journal journal, SimCluster cluster) {
        this.journal = journal;
        this.events = cluster.scheduler().events();
        this.tablets = cluster.tabletEvents();
    }

    private record Line(long nanos, String text) {
        static Line of(long nanos, String what) {
            return new Line(nanos, String.format(Locale.ROOT, "%10.4f               %s", nanos / 1e9, what));
        }
    }

    /**
     * What clients did to the rows that are wrong, what became of their tablets, and the faults that all have met. Without
     * an anomaly, of all tablets.
     */
    String ofWrong() {
        List<Anomaly> anomalies = journal.anomalies();
        List<String> wrong =
                anomalies.stream().map(Anomaly::row).distinct().limit(MOST_ROWS).toList();
        List<String> rows =
                wrong.stream().flatMap(row -> rows(row).stream()).distinct().toList();
        List<Line> lines = new ArrayList<>(last("operations", operations(rows::contains)));
        lines.addAll(last("changes of tablets", tablets(event -> wrong.isEmpty() || isOf(event, wrong, rows))));
        lines.addAll(last("events", events(event -> !event.isSmall())));
        return "what happened" + (rows.isEmpty() ? "" : " to " + String.join(", ", rows)) + ":\n" + text(lines);
    }

    /** Everything, in a file of that name. */
    void write(Path file) {
        List<Line> lines = new ArrayList<>(operations(row -> true));
        lines.addAll(tablets(event -> true));
        lines.addAll(events(event -> true));
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.writeString(file, text(lines));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What an anomaly says it is wrong with is a row, a value that is added to, or a node of a chain. */
    private Collection<String> rows(String wrong) {
        return wrong.contains(Layout.NODE) ? journal.chain(wrong) : List.of(Layout.rowOf(wrong));
    }

    private static boolean isOf(TabletEvent event, List<String> wrong, List<String> rows) {
        if (event.tablet().tableId() == TableSchema.METADATA_ID) {
            return wrong.contains(MetadataKeys.of(event.tablet()).toString());
        }
        return rows.stream().anyMatch(row -> event.holds(Bytes.utf8(row)));
    }

    private List<Line> operations(Predicate<String> ofRow) {
        List<Line> lines = new ArrayList<>();
        journal.history().rows().forEach((row, operations) -> {
            for (Operation operation : operations) {
                if (ofRow.test(row)) {
                    lines.add(new Line(operation.begunNanos(), operation + "  in " + row));
                }
            }
        });
        for (String value : journal.values()) {
            if (ofRow.test(Layout.rowOf(value))) {
                journal.additions(value)
                        .forEach(each -> lines.add(new Line(each.begunNanos(), each + "  to " + value)));
                journal.seen(value).forEach(each -> lines.add(new Line(each.begunNanos(), each + "  of " + value)));
            }
        }
        return lines;
    }

    private List<Line> tablets(Predicate<TabletEvent> wanted) {
        return tablets.stream()
                .filter(wanted)
                .map(event -> Line.of(event.nanos(), event.toString()))
                .toList();
    }

    private List<Line> events(Predicate<SimEvent> wanted) {
        return events.stream()
                .filter(wanted)
                .map(event -> Line.of(event.nanos(), event.what()))
                .toList();
    }

    /** What is nearest to the end, and how much comes before. */
    private static List<Line> last(String what, List<Line> lines) {
        int left = Math.max(0, lines.size() - MOST_LINES);
        List<Line> sorted =
                lines.stream().sorted(Comparator.comparingLong(Line::nanos)).toList();
        Stream<Line> kept = sorted.stream().skip(left);
        return left == 0
                ? kept.toList()
                : Stream.concat(Stream.of(Line.of(0, left + " earlier " + what + " are left out")), kept)
                        .toList();
    }

    private static String text(List<Line> lines) {
        return lines.stream()
                .sorted(Comparator.comparingLong(Line::nanos))
                .map(line -> "  " + line.text() + "\n")
                .collect(Collectors.joining());
    }
}
