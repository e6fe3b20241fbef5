package bt.metadata;

import bt.record.BulkMarker;
import bt.record.FileReference;
import bt.record.TabletState;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

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
     * between their clips belongs to neither, and a reference over all of it would bring back what was deleted there. Takes as many
     * steps as there are files: there may be thousands.
     */
    private static List<FileReference> files(List<FileReference> lower, List<FileReference> upper) {
        List<FileReference> files = new ArrayList<>(upper);
        Map<Shown, Deque<Integer>> beginning = new HashMap<>();
        for (int i = 0; i < files.size(); i++) {
            note(files.get(i), i, beginning);
        }
        BitSet joined = new BitSet();
        for (FileReference below : lower) {
            Deque<Integer> next = beginning.getOrDefault(Shown.behind(below), new ArrayDeque<>());
            Integer above = below.getClipEnd() == null ? null : next.poll();
            FileReference both = below;
            if (above != null) {
                joined.set(above);
                FileReference continued = files.get(above);
                both = FileReference.newBuilder(below)
                        .setClipEnd(continued.getClipEnd())
                        .setBytes(below.getBytes() + continued.getBytes())
                        .build();
            }
            note(both, files.size(), beginning);
            files.add(both);
        }
        return IntStream.range(0, files.size())
                .filter(i -> !joined.get(i))
                .mapToObj(files::get)
                .toList();
    }

    private static void note(FileReference file, int place, Map<Shown, Deque<Integer>> beginning) {
        beginning.computeIfAbsent(Shown.from(file), shown -> new ArrayDeque<>()).add(place);
    }

    /** What is shown of a file from a row on, or behind it: two references with equal ones are one. */
    private record Shown(
            String path,
            @Nullable ByteBuffer row,
            List<Integer> families,
            @Nullable Long sequenceOverride,
            long smallestSequence,
            long largestSequence) {
        private static Shown from(FileReference file) {
            return at(file.getClipStart(), file);
        }

        private static Shown behind(FileReference file) {
            return at(file.getClipEnd(), file);
        }

        private static Shown at(@Nullable ByteBuffer row, FileReference file) {
            return new Shown(
                    file.getPath(),
                    row,
                    file.getFamilies(),
                    file.getSequenceOverride(),
                    file.getSmallestSequence(),
                    file.getLargestSequence());
        }
    }

    private static List<BulkMarker> bulkLoads(List<BulkMarker> lower, List<BulkMarker> upper) {
        Set<BulkMarker> all = new LinkedHashSet<>(upper);
        all.addAll(lower);
        return List.copyOf(all);
    }
}
