package bt.tabletserver;

import bt.record.FamilySizes;
import bt.record.FileSizes;
import bt.record.ServerSizes;
import bt.record.TabletReport;
import bt.tablet.Census;
import bt.tablet.FamilySize;
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

    void add(TabletReport tablet, Census census) {
        tablets.add(tablet);
        for (FamilySize size : census.memory()) {
            FamilySizes sum = family(size.family());
            sum.setMemoryCells(sum.getMemoryCells() + size.cells());
            sum.setMemoryBytes(sum.getMemoryBytes() + size.bytes());
        }
        for (Census.Waiting waiting : census.waiting()) {
            FamilySizes sum = family(waiting.family().id());
            sum.setWaitingMicros(Math.max(sum.getWaitingMicros(), waiting.longestMicros()));
            sum.setDeletionMicros(
                    Math.max(sum.getDeletionMicros(), waiting.deletionMicros().orElse(-1)));
        }
        for (Census.File file : census.files()) {
            FileSizes sum = files.computeIfAbsent(file.families(), ids -> new FileSizes(ids, 0, 0L, 0L));
            sum.setFiles(sum.getFiles() + 1);
            sum.setBytes(sum.getBytes() + file.bytes());
            sum.setDeletions(sum.getDeletions() + file.deletions());
            file.cells().forEach(this::addOnDisk);
        }
    }

    ServerSizes sum() {
        return new ServerSizes(new ArrayList<>(families.values()), new ArrayList<>(files.values()), tablets);
    }

    private void addOnDisk(FamilySize size) {
        FamilySizes sum = family(size.family());
        sum.setFileCells(sum.getFileCells() + size.cells());
        sum.setFileBytes(sum.getFileBytes() + size.bytes());
    }

    private FamilySizes family(int id) {
        return families.computeIfAbsent(id, first -> new FamilySizes(id, 0L, 0L, 0L, 0L, -1L, -1L));
    }
}
