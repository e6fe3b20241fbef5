package bt.tablet;

import bt.model.FamilySchema;
import bt.model.LocalityGroup;
import bt.model.TableSchema;
import bt.record.FileReference;
import bt.sstable.Access;
import bt.sstable.Cursor;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a merging compaction reads: files, which the caller uses, and a frozen memtable or none; of that the families of the
 * groups that are written.
 */
record CompactionInputs(
        List<TabletFile> files, Optional<Frozen> memtable, TableSchema schema, List<LocalityGroup> groups) {
    CompactionInputs {
        files = List.copyOf(files);
        groups = List.copyOf(groups);
    }

    /** {@code planned} are the files and those that a minor compaction would make of the memtable. */
    static CompactionInputs of(
            List<TabletFile> files, Optional<Frozen> memtable, List<FileReference> planned, TableSchema schema) {
        return new CompactionInputs(files, memtable, schema, groups(planned, schema));
    }

    /** The groups of the files' families. */
    static List<LocalityGroup> groups(List<FileReference> files, TableSchema schema) {
        Set<Integer> families = new HashSet<>();
        files.forEach(file -> families.addAll(file.getFamilies()));
        return groups(families, schema);
    }

    static List<LocalityGroup> groups(Set<Integer> families, TableSchema schema) {
        Set<String> names = schema.families().stream()
                .filter(family -> families.contains(family.id()))
                .map(FamilySchema::localityGroup)
                .collect(Collectors.toSet());
        return schema.groups().stream()
                .filter(group -> names.contains(group.name()))
                .toList();
    }

    List<Cursor> runs() {
        List<Cursor> runs = new ArrayList<>();
        files.forEach(file -> runs.add(file.cells(Access.COMPACTION)));
        files.forEach(file -> runs.add(file.deletions(Access.COMPACTION)));
        memtable.ifPresent(frozen -> runs.add(new FamilyCursor(frozen.memtable().cursor(), families(groups, schema))));
        return runs;
    }

    static Set<Integer> families(List<LocalityGroup> groups, TableSchema schema) {
        Set<String> names = groups.stream().map(LocalityGroup::name).collect(Collectors.toSet());
        return schema.families().stream()
                .filter(family -> names.contains(family.localityGroup()))
                .map(FamilySchema::id)
                .collect(Collectors.toSet());
    }

    List<FileReference> references() {
        return files.stream().map(TabletFile::reference).toList();
    }

    /** False when it is certain that nothing here is a deletion of versions. */
    boolean mayDeleteVersions() {
        return memtable.isPresent() || files.stream().anyMatch(TabletFile::mayDeleteVersions);
    }
}
