package bt.tablet;

import bt.model.CellKey;
import bt.model.FamilySchema;
import bt.model.LocalityGroup;
import bt.record.FamilyAges;
import bt.record.FileReference;
import bt.record.SSTableProperties;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A frozen memtable as the choice of a compaction sees it: as the files that a minor compaction would make of it, one for
 * each locality group that has something in it. None of them exists.
 */
final class MemtableFiles {
    /** No file's path begins so: those begin with a directory of the store. */
    private static final String PATH = "memtable of group ";

    private MemtableFiles() {}

    static boolean isOne(FileReference reference) {
        return reference.getPath().startsWith(PATH);
    }

    private static FileReference reference(LocalityGroup group, Frozen frozen) {
        return FileReference.newBuilder()
                .setPath(PATH + group.name())
                .setBytes(0)
                .setFamilies(families(group, frozen))
                .setSmallestSequence(frozen.memtable().smallestSequence())
                .setLargestSequence(frozen.memtable().largestSequence())
                .build();
    }

    /** As large, for their cells, as the tablet's files are. */
    static List<FileFacts> of(Frozen frozen, List<TabletFile> files) {
        double share = shareOnDisk(files);
        Map<Integer, FamilySize> sizes =
                frozen.memtable().familySizes().stream().collect(Collectors.toMap(FamilySize::family, size -> size));
        FamilySize none = new FamilySize(CellKey.ROW_LEVEL, 0, 0);
        FamilySize rows = sizes.getOrDefault(CellKey.ROW_LEVEL, none);
        List<FileFacts> all = new ArrayList<>();
        for (LocalityGroup group : frozen.groups()) {
            FamilySize sum = families(group, frozen).stream()
                    .map(family -> sizes.getOrDefault(family, none))
                    .reduce(rows, FamilySize::plus);
            if (sum.cells() > 0) {
                FileReference reference = reference(group, frozen);
                reference.setBytes((long) Math.ceil(sum.bytes() * share));
                all.add(new FileFacts(reference, sum.cells(), 0, 1, ages(reference, frozen), false));
            }
        }
        return all;
    }

    private static List<Integer> families(LocalityGroup group, Frozen frozen) {
        return frozen.schema().families().stream()
                .filter(family -> family.localityGroup().equals(group.name()))
                .map(FamilySchema::id)
                .toList();
    }

    private static List<FamilyAges> ages(FileReference reference, Frozen frozen) {
        List<FamilyAges> all = new ArrayList<>();
        frozen.span().unjudged().forEach((family, unjudged) -> {
            if (family == CellKey.ROW_LEVEL || reference.getFamilies().contains(family)) {
                all.add(new FamilyAges(
                        family, unjudged.deletionMicros(), unjudged.putMicros(), 0L, List.of(), unjudged.rule()));
            }
        });
        return all;
    }

    private static double shareOnDisk(List<TabletFile> files) {
        double disk = 0;
        double cells = 0;
        for (TabletFile file : files) {
            SSTableProperties properties = file.properties();
            disk += file.reference().getBytes();
            cells += properties.getKeyBytes() + properties.getValueBytes();
        }
        return cells == 0 ? 1 : disk / cells;
    }
}
