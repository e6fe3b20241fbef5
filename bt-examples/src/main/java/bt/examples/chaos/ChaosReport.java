package bt.examples.chaos;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What one run came to. Of the anomalies and broken invariants it has the words too.
 *
 * @param reached how far it came: of what was not checked it says nothing
 * @param disks how the disks of datanodes are filled: by a tmpfs of each, or by a quota instead
 * @param told what clients were told: writes acknowledged, of unknown outcome, refused
 * @param faults how often each kind was felt
 * @param givenUp how often each could not be begun, or nobody felt it, however often it was tried
 * @param waits the longest that an operation waited, by the kind it waited for
 */
record ChaosReport(
        long seed,
        double minutes,
        Progress reached,
        String disks,
        Told told,
        Map<FaultKind, Long> faults,
        Map<FaultKind, Long> givenUp,
        Map<FaultKind, Long> waits,
        List<String> complaints,
        List<String> broken,
        List<Journal.Entry> journal) {
    ChaosReport {
        faults = Map.copyOf(faults);
        givenUp = Map.copyOf(givenUp);
        waits = Map.copyOf(waits);
        complaints = List.copyOf(complaints);
        broken = List.copyOf(broken);
        journal = List.copyOf(journal);
    }

    /** Numbers of writes, and of things that were not as they should be. */
    record Told(long acknowledged, long unknown, long refused, long lost, long anomalies) {
        static Told of(Tally tally) {
            return new Told(
                    tally.acknowledgedWrites(),
                    tally.unknownWrites(),
                    tally.refusedWrites(),
                    tally.lostWrites(),
                    tally.anomalyCount());
        }
    }

    /** One that failed before there was anything to report but how. */
    static ChaosReport failed(long seed, double minutes, Exception failure) {
        return new ChaosReport(
                seed,
                minutes,
                Progress.STARTED,
                "unknown",
                new Told(0, 0, 0, 0, 1),
                Map.of(),
                Map.of(),
                Map.of(),
                List.of("the run failed: " + failure),
                List.of(),
                List.of());
    }

    /** All was checked, clients were told something, nothing was lost, nothing strange, nothing broken. */
    boolean isClean() {
        return reached == Progress.EXAMINED
                && told.acknowledged() > 0
                && told.lost() == 0
                && told.anomalies() == 0
                && broken.isEmpty();
    }

    /** Unless there was none lost because nobody looked. */
    private Optional<Long> lost() {
        return reached.hasReached(Progress.COMPARED) || told.lost() > 0 ? Optional.of(told.lost()) : Optional.empty();
    }

    private Optional<Integer> invariantsBroken() {
        return reached == Progress.EXAMINED ? Optional.of(broken.size()) : Optional.empty();
    }

    /** Those that were to be felt and never were. */
    private List<String> neverFelt() {
        return givenUp.keySet().stream()
                .filter(kind -> faults.getOrDefault(kind, 0L) == 0)
                .sorted()
                .map(FaultKind::title)
                .toList();
    }

    /** What was not checked is null. */
    String json() throws JsonProcessingException {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("seed", seed);
        document.put("minutes", minutes);
        document.put("whole", reached.hasReached(Progress.WHOLE));
        document.put("acknowledged", told.acknowledged());
        document.put("unknown", told.unknown());
        document.put("refused", told.refused());
        document.put("faults", byTitle(faults));
        document.put("faultsGivenUp", byTitle(givenUp));
        document.put("disks", disks);
        document.put("lost", lost().orElse(null));
        document.put("anomalies", told.anomalies());
        document.put("invariantsBroken", invariantsBroken().orElse(null));
        document.put("longestUnavailableMillis", byTitle(waits));
        document.put("complaints", complaints);
        document.put("findings", broken);
        document.put(
                "journal",
                journal.stream()
                        .map(entry -> Map.of("millis", entry.millis(), "event", entry.event()))
                        .toList());
        return new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(document);
    }

    /** One line for each kind of fault, then the sums. */
    String table() {
        StringBuilder table = new StringBuilder(line("fault", "times", "waited ms"));
        for (FaultKind kind : FaultKind.values()) {
            if (faults.containsKey(kind)) {
                table.append(line(
                        kind.title(), Long.toString(faults.get(kind)), Long.toString(waits.getOrDefault(kind, 0L))));
            }
        }
        byTitle(givenUp)
                .forEach((title, times) -> table.append("given up, for it could not be begun or nobody felt it: ")
                        .append(title)
                        .append(", ")
                        .append(times)
                        .append(" times\n"));
        complaints.forEach(
                complaint -> table.append("anomaly: ").append(complaint).append('\n'));
        broken.forEach(finding -> table.append("broken: ").append(finding).append('\n'));
        if (!reached.hasReached(Progress.EXAMINED)) {
            table.append(reached.missing()).append(": nothing more was checked\n");
        }
        return table.append(String.format(
                        Locale.ROOT,
                        "seed %d: %,d writes acknowledged, %,d unknown, %,d refused; %s, %d anomalies, %s%s",
                        seed,
                        told.acknowledged(),
                        told.unknown(),
                        told.refused(),
                        lost().map(writes -> writes + " lost").orElse("lost: not checked"),
                        told.anomalies(),
                        invariantsBroken()
                                .map(rules -> rules + " invariants broken")
                                .orElse("invariants: not checked"),
                        neverFelt().isEmpty() ? "" : "; never felt: " + String.join(", ", neverFelt())))
                .toString();
    }

    private static String line(String name, String times, String waited) {
        return String.format(Locale.ROOT, "%-24s%8s%12s%n", name, times, waited);
    }

    private static Map<String, Long> byTitle(Map<FaultKind, Long> figures) {
        Map<String, Long> byTitle = new LinkedHashMap<>();
        for (FaultKind kind : FaultKind.values()) {
            if (figures.containsKey(kind)) {
                byTitle.put(kind.title(), figures.get(kind));
            }
        }
        return byTitle;
    }
}
