package bt.tabletserver;

import bt.model.FamilySchema;
import bt.record.FamilySizes;
import bt.record.FileSizes;
import bt.record.ServerSizes;
import bt.record.TabletReport;
import bt.tablet.Census;
import bt.tablet.FamilySize;
import bt.tablet.Shown;
import bt.tablet.Tablet;
import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Adds up what tablets of one table hold, for the answer to a SizesRequest. One thread. */
final class SizeReport {
    private final Map<Integer, FamilySizes> families = new TreeMap<>();
    private final Map<List<Integer>, FileSizes> files = new LinkedHashMap<>();
    private final List<TabletReport> tablets = new ArrayList<>();

    /** What the tablet holds of the families that are shown: each of them is named, and the files that hold no others. */
    void add(TabletReport report, Tablet tablet, Shown shown) {
        tablets.add(report);
        tablet.schema().families().stream()
                .map(FamilySchema::id)
                .filter(shown::includes)
                .forEach(this::family);
        Census census = tablet.census();
        of(shown, census.memory()).forEach(this::addInMemory);
        for (Census.Waiting waiting : census.waiting()) {
            if (shown.includes(waiting.family().id())) {
                addWaiting(waiting);
            }
        }
        for (Census.File file : census.files()) {
            if (file.families().stream().allMatch(shown::includes)) {
                FileSizes sum = files.computeIfAbsent(file.families(), ids -> new FileSizes(ids, 0, 0L, 0L));
                sum.setFiles(sum.getFiles() + 1);
                sum.setBytes(sum.getBytes() + file.bytes());
                sum.setDeletions(sum.getDeletions() + file.deletions());
            }
            of(shown, file.cells()).forEach(this::addOnDisk);
        }
    }

    ServerSizes sum() {
        return new ServerSizes(new ArrayList<>(families.values()), new ArrayList<>(files.values()), tablets);
    }

    private static List<FamilySize> of(Shown shown, List<FamilySize> sizes) {
        return sizes.stream().filter(size -> shown.includes(size.family())).toList();
    }

    private void addInMemory(FamilySize size) {
        FamilySizes sum = family(size.family());
        sum.setMemoryCells(sum.getMemoryCells() + size.cells());
        sum.setMemoryBytes(sum.getMemoryBytes() + size.bytes());
    }

    private void addWaiting(Census.Waiting waiting) {
        FamilySizes sum = family(waiting.family().id());
        sum.setWaitingMicros(Math.max(sum.getWaitingMicros(), waiting.longestMicros()));
        sum.setDeletionMicros(
                Math.max(sum.getDeletionMicros(), waiting.deletionMicros().orElse(-1)));
    }

    private void addOnDisk(FamilySize size) {
        FamilySizes sum = family(size.family());
        sum.setFileCells(sum.getFileCells() + size.cells());
        sum.setFileBytes(sum.getFileBytes() + size.bytes());
    }

    @CanIgnoreReturnValue
    private FamilySizes family(int id) {
        return families.computeIfAbsent(id, first -> new FamilySizes(id, 0L, 0L, 0L, 0L, -1L, -1L));
    }
}
