package bt.tablet;

import bt.model.FamilySchema;
import bt.model.TableSchema;
import bt.tablet.CompactionPlan.Reason;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Chooses what to compact; a pure function. Files that share families are looked at together, apart from all others: in
 * the order of their sequences they are runs, of which a read has to look at each.
 *
 * <p>Newer runs are merged with the one before as soon as they are {@link #MIN_WIDTH} and together about as large. So each
 * run is larger than all newer ones together but a few, their number grows with the logarithm of the data, and a byte is
 * written again once for each doubling. While a tablet is being filled, so that many come within {@link #FILLING_MICROS},
 * they wait until there are {@link #MAX_RUNS}: a load then writes fewer bytes again, and those who read look at no more
 * runs than they may have to anyway. More than those are never left: then the cheapest neighbours merge.
 *
 * <p>Where memory is short, of which each open file takes a part, two runs are merged already, and files never become more ({@link FewerFiles}).
 */
final class CompactionPicker {
    /** A read of one locality group looks at no more files than these, but for those that were written since the last choice. */
    static final int MAX_RUNS = 8;

    /** Merging fewer would write every byte more often for little. */
    static final int MIN_WIDTH = 4;

    /** A tablet that got {@link #MIN_WIDTH} runs within so long is being filled. */
    static final long FILLING_MICROS = 60_000_000;

    /** One deletion among so many entries is worth a major compaction. */
    private static final int ENTRIES_PER_DELETION = 5;

    /** Fewer deletions slow nobody down. */
    private static final long MIN_DELETIONS = 1_000;

    private CompactionPicker() {}

    /**
     * What the choice goes by. Sequences above {@code horizon} may not be judged yet: their deletions are no reason. {@code isPressed} where
     * the server's tablets take more of its memory than their share.
     */
    record Situation(List<FileFacts> files, TableSchema schema, long nowMicros, long horizon, boolean isPressed) {
        Situation {
            files = List.copyOf(files);
        }
    }

    /** The most urgent one of those that are possible; empty when all is well. */
    static Optional<CompactionPlan> pick(Situation situation, Predicate<CompactionPlan> possible) {
        return picks(situation).stream().filter(possible).min(Comparator.comparing(CompactionPlan::reason));
    }

    /** The next one of each set of files that share families. */
    static List<CompactionPlan> picks(Situation situation) {
        return clusters(situation).stream()
                .map(cluster -> pick(cluster, situation))
                .flatMap(Optional::stream)
                .toList();
    }

    /** A major compaction of everything, one plan for each set of files that share families. */
    static List<CompactionPlan> major(Situation situation) {
        return clusters(situation).stream()
                .map(CompactionPicker::runs)
                .map(runs -> plan(runs, 0, runs.size(), Reason.ASKED))
                .toList();
    }

    private static Optional<CompactionPlan> pick(List<FileFacts> cluster, Situation situation) {
        List<List<FileFacts>> runs = runs(cluster);
        Optional<CompactionPlan> purge = purge(runs, situation);
        if (purge.isPresent()) {
            return purge;
        }
        if (!situation.isPressed) {
            return pickForReads(cluster, runs, situation);
        }
        return FewerFiles.pick(runs, firstOfEqualSizes(runs), situation.schema)
                // Where it would keep the earlier groups it would be begun again behind each flush.
                .or(() -> pickForReads(cluster, runs, situation)
                        .filter(plan -> plan.reason() != Reason.GROUPS
                                || FewerFiles.becomeFewer(plan.inputs(), situation.schema)));
    }

    /** What makes reads look at less. */
    private static Optional<CompactionPlan> pickForReads(
            List<FileFacts> cluster, List<List<FileFacts>> runs, Situation situation) {
        int all = runs.size();
        // Alone, the run may be what the last major compaction left: what it has judged would stay again.
        if ((all > 1 || hasUnjudgedDeletions(cluster, situation)) && deservesMajorForDeletions(cluster, situation)) {
            return Optional.of(plan(runs, 0, all, Reason.DELETIONS));
        }
        int first = firstOfEqualSizes(runs);
        if (all - first >= MIN_WIDTH && (all >= MAX_RUNS || !isBeingFilled(runs, situation))) {
            return Optional.of(plan(runs, first, all, Reason.SIZES));
        }
        if (all > MAX_RUNS) {
            int width = all - MAX_RUNS + 1;
            int cheapest = IntStream.rangeClosed(0, all - width)
                    .boxed()
                    .min(Comparator.comparingLong(at -> bytes(runs.subList(at, at + width))))
                    .orElseThrow();
            return Optional.of(plan(runs, cheapest, cheapest + width, Reason.FILES));
        }
        for (int i = 0; i < all; i++) {
            if (mayBeJudged(runs.get(i), situation) && Expired.isMostOf(runs.get(i), situation)) {
                return Optional.of(plan(runs, i, i + 1, Reason.EXPIRED));
            }
        }
        return regrouping(runs, situation.schema());
    }

    /**
     * What the families' promises ask for by now: the runs up to the newest that has deletions, or puts that may hide
     * something, and otherwise one run of those that have what is too old, for that goes in any compaction.
     */
    private static Optional<CompactionPlan> purge(List<List<FileFacts>> runs, Situation situation) {
        Optional<CompactionPlan> expired = Optional.empty();
        for (int i = runs.size() - 1; i >= 0; i--) {
            List<FileFacts> due = runs.get(i).stream()
                    .filter(file -> file.largestSequence() <= situation.horizon
                            && PurgePromise.isDue(file, situation.schema, situation.nowMicros))
                    .toList();
            if (due.stream().anyMatch(file -> PurgePromise.needsOlder(file, situation.schema, situation.nowMicros))) {
                return Optional.of(plan(runs, 0, i + 1, Reason.PURGE));
            }
            if (!due.isEmpty()) {
                expired = Optional.of(plan(runs, i, i + 1, Reason.PURGE));
            }
        }
        return expired;
    }

    /** By the oldest of the newest runs, of which there are {@link #MIN_WIDTH}. */
    private static boolean isBeingFilled(List<List<FileFacts>> runs, Situation situation) {
        return runs.get(runs.size() - MIN_WIDTH).stream()
                .allMatch(file -> file.writtenMicros() > situation.nowMicros - FILLING_MICROS);
    }

    private static boolean mayBeJudged(List<FileFacts> files, Situation situation) {
        return files.stream().allMatch(file -> file.largestSequence() <= situation.horizon);
    }

    private static boolean hasUnjudgedDeletions(List<FileFacts> files, Situation situation) {
        return files.stream()
                .filter(file -> file.largestSequence() <= situation.horizon)
                .flatMap(file -> file.ages().stream())
                .anyMatch(ages -> ages.getOldestDeletionMicros() > 0);
    }

    /** The runs from one, included, to another, excluded. */
    static CompactionPlan plan(List<List<FileFacts>> runs, int from, int to, Reason reason) {
        return new CompactionPlan(
                runs.subList(from, to).stream()
                        .flatMap(List::stream)
                        .map(FileFacts::reference)
                        .toList(),
                from == 0,
                reason);
    }

    /** From the newest on, as long as the next older run is not larger than all newer ones together. */
    private static int firstOfEqualSizes(List<List<FileFacts>> runs) {
        int first = runs.size() - 1;
        long newer = bytes(runs.subList(first, first + 1));
        while (first > 0 && bytes(runs.subList(first - 1, first)) <= newer) {
            first--;
            newer += bytes(runs.subList(first, first + 1));
        }
        return first;
    }

    static long bytes(List<List<FileFacts>> runs) {
        return runs.stream()
                .flatMap(List::stream)
                .mapToLong(file -> file.reference().getBytes())
                .sum();
    }

    private static boolean deservesMajorForDeletions(List<FileFacts> cluster, Situation situation) {
        long deletions = cluster.stream()
                .filter(file -> file.largestSequence() <= situation.horizon && mayLoseDeletions(file))
                .mapToLong(FileFacts::deletions)
                .sum();
        long entries = cluster.stream().mapToLong(FileFacts::entries).sum();
        return deletions >= MIN_DELETIONS && deletions * ENTRIES_PER_DELETION >= entries;
    }

    /** Those that a major compaction has judged and left would stay again. */
    private static boolean mayLoseDeletions(FileFacts file) {
        return file.ages().isEmpty() || file.ages().stream().anyMatch(ages -> ages.getOldestDeletionMicros() > 0);
    }

    private static Optional<CompactionPlan> regrouping(List<List<FileFacts>> runs, TableSchema schema) {
        Set<Integer> families = runs.stream()
                .flatMap(List::stream)
                .flatMap(file -> file.reference().getFamilies().stream())
                .collect(Collectors.toSet());
        Set<String> groups = schema.families().stream()
                .filter(family -> families.contains(family.id()))
                .map(FamilySchema::localityGroup)
                .collect(Collectors.toSet());
        if (groups.isEmpty()) {
            return Optional.of(plan(runs, 0, runs.size(), Reason.DROPPED));
        }
        boolean isGrouped = groups.size() == 1 && runs.stream().allMatch(run -> run.size() == 1);
        return isGrouped ? Optional.empty() : Optional.of(plan(runs, 0, runs.size(), Reason.GROUPS));
    }

    /** Files that share families, or hold families of one locality group, directly or through others. */
    static List<List<FileFacts>> clusters(Situation situation) {
        return clusters(situation.files, situation.schema);
    }

    static List<List<FileFacts>> clusters(List<FileFacts> files, TableSchema schema) {
        List<Cluster> clusters = new ArrayList<>();
        for (FileFacts file : files) {
            Cluster joined = new Cluster(file, schema);
            for (Cluster cluster : List.copyOf(clusters)) {
                if (cluster.touches(joined)) {
                    clusters.remove(cluster);
                    joined = cluster.with(joined);
                }
            }
            clusters.add(joined);
        }
        return clusters.stream().map(Cluster::files).toList();
    }

    /** Files, the families that they hold and the locality groups of those. */
    private record Cluster(List<FileFacts> files, Set<Integer> families, Set<String> groups) {
        Cluster(FileFacts file, TableSchema schema) {
            this(file, Set.copyOf(file.reference().getFamilies()), schema);
        }

        private Cluster(FileFacts file, Set<Integer> families, TableSchema schema) {
            this(
                    List.of(file),
                    families,
                    schema.families().stream()
                            .filter(family -> families.contains(family.id()))
                            .map(FamilySchema::localityGroup)
                            .collect(Collectors.toSet()));
        }

        boolean touches(Cluster that) {
            return !Collections.disjoint(families, that.families) || !Collections.disjoint(groups, that.groups);
        }

        Cluster with(Cluster that) {
            return new Cluster(
                    both(files, that.files).toList(),
                    both(families, that.families).collect(Collectors.toSet()),
                    both(groups, that.groups).collect(Collectors.toSet()));
        }

        private static <T> Stream<T> both(Collection<T> some, Collection<T> others) {
            return Stream.concat(some.stream(), others.stream());
        }
    }

    /** The oldest first. Files whose sequences overlap, as those of one flush do, are one run. */
    static List<List<FileFacts>> runs(List<FileFacts> cluster) {
        List<List<FileFacts>> runs = new ArrayList<>();
        long end = Long.MIN_VALUE;
        List<FileFacts> oldestFirst = cluster.stream()
                .sorted(Comparator.comparingLong(FileFacts::smallestSequence))
                .toList();
        for (FileFacts file : oldestFirst) {
            if (runs.isEmpty() || file.smallestSequence() > end) {
                runs.add(new ArrayList<>());
            }
            runs.get(runs.size() - 1).add(file);
            end = Math.max(end, file.largestSequence());
        }
        return runs;
    }
}
