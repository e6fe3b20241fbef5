package bt.client;

import bt.model.TableSchema;
import bt.record.FamilySizes;
import bt.record.FileSizes;
import bt.record.ServerSizes;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a table takes, by family and by locality group, when all its servers had been asked one after the other. Bytes of a
 * family in files are those of keys and values; bytes of a group are those of its files on disk, compressed. A file that
 * two tablets share counts for both.
 */
public record TableSizes(List<Family> families, List<Group> groups, Files elsewhere) {
    public TableSizes {
        families = List.copyOf(families);
        groups = List.copyOf(groups);
    }

    /** A family in memory and in files. Changes in memory count as cells, deletions too. */
    public record Family(String name, long memoryCells, long memoryBytes, long fileCells, long fileBytes) {
        private Family plus(FamilySizes that) {
            return new Family(
                    name,
                    memoryCells + that.getMemoryCells(),
                    memoryBytes + that.getMemoryBytes(),
                    fileCells + that.getFileCells(),
                    fileBytes + that.getFileBytes());
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
        schema.families().forEach(family -> families.put(family.id(), new Family(family.name(), 0, 0, 0, 0)));
        Files elsewhere = Files.NONE;
        for (ServerSizes server : servers) {
            for (FamilySizes sizes : server.getFamilies()) {
                families.computeIfPresent(sizes.getFamilyId(), (id, sum) -> sum.plus(sizes));
                schema.family(sizes.getFamilyId())
                        .ifPresent(family -> memory.merge(family.localityGroup(), sizes.getMemoryBytes(), Long::sum));
            }
            for (FileSizes sizes : server.getFiles()) {
                Set<String> groups = groupsOf(sizes, schema);
                if (groups.size() == 1) {
                    files.merge(groups.iterator().next(), Files.NONE.plus(sizes), Files::plus);
                } else {
                    elsewhere = elsewhere.plus(sizes);
                }
            }
        }
        List<Group> groups = schema.groups().stream()
                .map(group -> new Group(
                        group.name(),
                        memory.getOrDefault(group.name(), 0L),
                        files.getOrDefault(group.name(), Files.NONE)))
                .toList();
        return new TableSizes(List.copyOf(families.values()), groups, elsewhere);
    }

    /** Families that were dropped are in no group. */
    private static Set<String> groupsOf(FileSizes files, TableSchema schema) {
        Set<String> groups = new HashSet<>();
        for (int id : files.getFamilyIds()) {
            schema.family(id).ifPresent(family -> groups.add(family.localityGroup()));
        }
        return groups;
    }
}
