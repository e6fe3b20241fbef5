package bt.client;

import bt.model.FamilySchema;
import bt.model.LocalityGroup;
import bt.model.TableSchema;
import bt.record.FamilySizes;
import bt.record.FileSizes;
import bt.record.ServerSizes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
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
    public record Family(String name, long memoryCells, long memoryBytes, long fileCells, long fileBytes) {}

    /** A locality group: what its families take in memory, and the files that hold families of it alone. */
    public record Group(String name, long memoryBytes, Files files) {}

    /** So many files of a size, and the deletions in them. */
    public record Files(int count, long bytes, long deletions) {
        static final Files NONE = new Files(0, 0, 0);

        Files plus(FileSizes that) {
            return new Files(count + that.getFiles(), bytes + that.getBytes(), deletions + that.getDeletions());
        }
    }

    /** {@code elsewhere} has the files of an earlier grouping, which a major compaction will rewrite. */
    static TableSizes of(TableSchema schema, List<ServerSizes> servers) {
        List<Family> families = new ArrayList<>();
        for (FamilySchema family : schema.families()) {
            families.add(family(family, servers));
        }
        List<Group> groups = new ArrayList<>();
        for (LocalityGroup group : schema.groups()) {
            groups.add(group(group, schema, families, servers));
        }
        Files elsewhere = Files.NONE;
        for (ServerSizes server : servers) {
            for (FileSizes files : server.getFiles()) {
                elsewhere = groupsOf(files, schema).size() == 1 ? elsewhere : elsewhere.plus(files);
            }
        }
        return new TableSizes(families, groups, elsewhere);
    }

    private static Family family(FamilySchema family, List<ServerSizes> servers) {
        Family sum = new Family(family.name(), 0, 0, 0, 0);
        for (ServerSizes server : servers) {
            for (FamilySizes sizes : server.getFamilies()) {
                if (sizes.getFamilyId() == family.id()) {
                    sum = new Family(
                            sum.name(),
                            sum.memoryCells() + sizes.getMemoryCells(),
                            sum.memoryBytes() + sizes.getMemoryBytes(),
                            sum.fileCells() + sizes.getFileCells(),
                            sum.fileBytes() + sizes.getFileBytes());
                }
            }
        }
        return sum;
    }

    private static Group group(
            LocalityGroup group, TableSchema schema, List<Family> families, List<ServerSizes> servers) {
        long memoryBytes = 0;
        for (Family family : families) {
            boolean isIn = schema.family(family.name())
                    .filter(found -> found.localityGroup().equals(group.name()))
                    .isPresent();
            memoryBytes += isIn ? family.memoryBytes() : 0;
        }
        Files sum = Files.NONE;
        for (ServerSizes server : servers) {
            for (FileSizes files : server.getFiles()) {
                sum = groupsOf(files, schema).equals(Set.of(group.name())) ? sum.plus(files) : sum;
            }
        }
        return new Group(group.name(), memoryBytes, sum);
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
