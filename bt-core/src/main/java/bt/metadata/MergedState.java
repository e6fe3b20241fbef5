package bt.metadata;

import bt.record.BulkMarker;
import bt.record.FileReference;
import bt.record.TabletState;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** What a tablet holds that has taken the rows of the one before it. Both were unloaded cleanly. */
final class MergedState {
    private MergedState() {}

    static TabletState of(TabletState lower, TabletState upper) {
        return TabletState.newBuilder(upper)
                .setPreviousEndRow(lower.getPreviousEndRow())
                .setFiles(files(lower.getFiles(), upper.getFiles()))
                // The greater covers both: of the other tablet nothing is in any log above its own.
                .setRedoPoint(Math.max(lower.getRedoPoint(), upper.getRedoPoint()))
                .setLastServerTimestamp(Math.max(lower.getLastServerTimestamp(), upper.getLastServerTimestamp()))
                .setOldestReadableSequence(
                        Math.max(lower.getOldestReadableSequence(), upper.getOldestReadableSequence()))
                .setSchemaVersion(Math.max(lower.getSchemaVersion(), upper.getSchemaVersion()))
                .setBulkLoads(bulkLoads(lower.getBulkLoads(), upper.getBulkLoads()))
                .build();
    }

    /**
     * Of both. Two that show neighbouring rows of one file become one. Others stay two, though they name one file: what lies
     * between their clips belongs to neither, and a reference over all of it would bring back what was deleted there.
     */
    private static List<FileReference> files(List<FileReference> lower, List<FileReference> upper) {
        List<FileReference> files = new ArrayList<>(upper);
        for (FileReference below : lower) {
            Optional<FileReference> above =
                    files.stream().filter(file -> continues(below, file)).findFirst();
            above.ifPresent(files::remove);
            files.add(above.map(file -> FileReference.newBuilder(below)
                            .setClipEnd(file.getClipEnd())
                            .setBytes(below.getBytes() + file.getBytes())
                            .build())
                    .orElse(below));
        }
        return files;
    }

    private static boolean continues(FileReference below, FileReference above) {
        return below.getPath().equals(above.getPath())
                && below.getClipEnd() != null
                && below.getClipEnd().equals(above.getClipStart())
                && below.getFamilies().equals(above.getFamilies())
                && Objects.equals(below.getSequenceOverride(), above.getSequenceOverride())
                && below.getSmallestSequence() == above.getSmallestSequence()
                && below.getLargestSequence() == above.getLargestSequence();
    }

    private static List<BulkMarker> bulkLoads(List<BulkMarker> lower, List<BulkMarker> upper) {
        List<BulkMarker> all = new ArrayList<>(upper);
        lower.stream().filter(marker -> !all.contains(marker)).forEach(all::add);
        return all;
    }
}
