package bt.client;

import bt.model.FamilySchema;
import bt.model.TableSchema;
import bt.record.FamilySizes;
import bt.record.FileSizes;
import bt.record.ServerSizes;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What a table takes, by family and by locality group, when all its servers had been asked one after the other. Bytes of a
 * family in files are those of keys and values; bytes of a group are those of its files on disk, compressed. A file that
 * two tablets share counts for both. Who may neither read nor administer a family is told nothing of it, of its locality
 * group, and of files that hold it. Table 2 of the paper (section 8) shows such sizes.
 */
public record TableSizes(List<Family> families, List<Group> groups, Files elsewhere) {
    public TableSizes {
        families = List.copyOf(families);
        groups = List.copyOf(groups);
    }

    /** A family in memory and in files. Changes in memory count as cells, deletions too. */
    public record Family(String name, long memoryCells, long memoryBytes, long fileCells, long fileBytes, Purge purge) {
        private Family plus(FamilySizes that) {
            return new Family(
                    name,
                    memoryCells + that.getMemoryCells(),
                    memoryBytes + that.getMemoryBytes(),
                    fileCells + that.getFileCells(),
                    fileBytes + that.getFileBytes(),
                    purge.plus(that));
        }
    }

    /**
     * How far a family is with what has to leave memory and disk: the time within which that is promised, how long what
     * waits longest has been waiting, and how old the oldest deletion is that waits. In microseconds; empty where there is
     * none. Of a put that may have pushed an older version out nobody knows before files are compacted, so it waits too.
     */
    public record Purge(OptionalLong promisedMicros, OptionalLong waitingMicros, OptionalLong deletionMicros) {
        private Purge plus(FamilySizes that) {
            return new Purge(
                    promisedMicros,
                    longer(waitingMicros, that.getWaitingMicros()),
                    longer(deletionMicros, that.getDeletionMicros()));
        }

        /** Whether something has waited for longer than promised. */
        public boolean isBroken() {
            return promisedMicros.isPresent() && waitingMicros.orElse(0) > promisedMicros.getAsLong();
        }

        private static OptionalLong longer(OptionalLong known, long other) {
            return other < 0 ? known : OptionalLong.of(Math.max(known.orElse(0), other));
        }
    }

    /** A locality group: what its families take in memory, and the files that hold families of it alone. */
    public record Group(String name, long memoryBytes, Files files) {}

    /** So many files of a size, and the deletions in them. */
    public record Files(int count, long bytes, long deletions) {
        private static final Files NONE = new Files(0, 0, 0);

        private Files plus(FileSizes that) {
            return plus(new Files(that.getFiles(), that.getBytes(), that.getDeletions()));
        }

        private Files plus(Files that) {
            return new Files(count + that.count, bytes + that.bytes, deletions + that.deletions);
        }
    }

    /** {@code elsewhere} has the files of an earlier grouping, which a major compaction will rewrite. */
    static TableSizes of(TableSchema schema, List<ServerSizes> servers) {
        Map<Integer, Family> families = new LinkedHashMap<>();
        Map<String, Long> memory = new HashMap<>();
        Map<String, Files> files = new HashMap<>();
        Set<Integer> told = servers.stream()
                .flatMap(server -> server.getFamilies().stream())
                .map(FamilySizes::getFamilyId)
                .collect(Collectors.toSet());
        for (FamilySchema family : schema.families()) {
            if (told.contains(family.id())) {
                families.put(family.id(), nothing(family));
            }
        }
        Files elsewhere = Files.NONE;
        for (ServerSizes server : servers) {
            for (FamilySizes sizes : server.getFamilies()) {
                families.computeIfPresent(sizes.getFamilyId(), (id, sum) -> sum.plus(sizes));
                schema.family(sizes.getFamilyId())
                        .ifPresent(family -> memory.merge(family.localityGroup(), sizes.getMemoryBytes(), Long::sum));
            }
            for (FileSizes sizes : server.getFiles()) {
                // Families that were dropped are in no group.
                Set<String> groups =
                        groupsOf(schema, family -> sizes.getFamilyIds().contains(family.id()));
                if (groups.size() == 1) {
                    files.merge(groups.iterator().next(), Files.NONE.plus(sizes), Files::plus);
                } else {
                    elsewhere = elsewhere.plus(sizes);
                }
            }
        }
        Set<String> hidden = groupsOf(schema, family -> !told.contains(family.id()));
        List<Group> groups = schema.groups().stream()
                .filter(group -> !hidden.contains(group.name()))
                .map(group -> new Group(
                        group.name(),
                        memory.getOrDefault(group.name(), 0L),
                        files.getOrDefault(group.name(), Files.NONE)))
                .toList();
        return new TableSizes(List.copyOf(families.values()), groups, elsewhere);
    }

    private static Family nothing(FamilySchema family) {
        Purge purge = new Purge(family.purgeMicros(), OptionalLong.empty(), OptionalLong.empty());
        return new Family(family.name(), 0, 0, 0, 0, purge);
    }

    private static Set<String> groupsOf(TableSchema schema, Predicate<FamilySchema> wanted) {
        return schema.families().stream()
                .filter(wanted)
                .map(FamilySchema::localityGroup)
                .collect(Collectors.toSet());
    }
}
