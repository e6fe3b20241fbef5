package bt.examples.chaos;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What one run came to. Of the anomalies and broken invariants it has the words too.
 *
 * @param whole whether, when all faults were undone, every server was known, every tablet served and every client answered; otherwise
 *     nothing more was checked
 * @param disks how the disks of datanodes are filled: by a tmpfs of each, or by a quota instead
 * @param told what clients were told: writes acknowledged, of unknown outcome, refused
 * @param faults how often each kind was felt
 * @param givenUp how often each could not be begun, or nobody felt it, however often it was tried
 * @param waits the longest that an operation waited, by the kind it waited for
 */
record ChaosReport(
        long seed,
        double minutes,
        boolean whole,
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

    /** Whole again, nothing lost, nothing strange, nothing broken. */
    boolean isClean() {
        return whole && told.lost() == 0 && told.anomalies() == 0 && broken.isEmpty();
    }

    String json() throws JsonProcessingException {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("seed", seed);
        document.put("minutes", minutes);
        document.put("whole", whole);
        document.put("acknowledged", told.acknowledged());
        document.put("unknown", told.unknown());
        document.put("refused", told.refused());
        document.put("faults", byTitle(faults));
        document.put("faultsGivenUp", byTitle(givenUp));
        document.put("disks", disks);
        document.put("lost", told.lost());
        document.put("anomalies", told.anomalies());
        document.put("invariantsBroken", broken.size());
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
        if (!whole) {
            table.append("the cluster did not become whole again: nothing more was checked\n");
        }
        return table.append(String.format(
                        Locale.ROOT,
                        "seed %d: %,d writes acknowledged, %,d unknown, %,d refused; %d lost, %d anomalies, %d invariants broken",
                        seed,
                        told.acknowledged(),
                        told.unknown(),
                        told.refused(),
                        told.lost(),
                        told.anomalies(),
                        broken.size()))
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
