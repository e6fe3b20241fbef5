package bt.tablet;

import bt.record.FamilyCount;
import bt.record.SSTableProperties;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a tablet holds: of each family in the memtables, those too that are being written to files, and in each of its
 * files. By family id.
 */
public record Census(List<FamilySize> memory, List<File> files) {
    public Census {
        memory = List.copyOf(memory);
        files = List.copyOf(files);
    }

    /**
     * A file: the families that it may hold, its bytes on disk, its deletions, and what it holds of each family, in bytes
     * before compression. Of a file that is shared all of it is told.
     */
    public record File(List<Integer> families, long bytes, long deletions, List<FamilySize> cells) {
        public File {
            families = List.copyOf(families);
            cells = List.copyOf(cells);
        }
    }

    static Census of(TabletView view) {
        Map<Integer, FamilySize> memory = new TreeMap<>();
        for (Memtable memtable : view.memtables()) {
            memtable.familySizes().forEach(size -> memory.merge(size.family(), size, FamilySize::plus));
        }
        return new Census(
                new ArrayList<>(memory.values()),
                view.files().stream().map(Census::file).toList());
    }

    private static File file(TabletFile file) {
        SSTableProperties properties = file.properties();
        return new File(
                file.families(),
                file.reference().getBytes(),
                file.facts().deletions(),
                properties.getFamilies().stream().map(Census::cells).toList());
    }

    private static FamilySize cells(FamilyCount count) {
        return new FamilySize(count.getFamily(), count.getCells(), count.getBytes());
    }
}
