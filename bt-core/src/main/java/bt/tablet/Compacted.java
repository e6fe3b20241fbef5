package bt.tablet;

import bt.record.FileReference;
import bt.record.TabletState;
import java.util.ArrayList;
import java.util.List;

/**
 * What a compaction has done: files to be named in the place of others, none when nothing was left. Reads below
 * {@code oldestReadable}, a sequence, would miss what was dropped.
 */
public record Compacted(List<FileReference> replaced, List<FileReference> written, long oldestReadable) {
    public Compacted {
        replaced = List.copyOf(replaced);
        written = List.copyOf(written);
    }

    /** Of a minor compaction. */
    public static Compacted written(List<FileReference> files) {
        return new Compacted(List.of(), files, 0);
    }

    /** The same with one file more. */
    public Compacted with(FileReference file) {
        List<FileReference> more = new ArrayList<>(written);
        more.add(file);
        return new Compacted(replaced, more, oldestReadable);
    }

    /** The state with the new files in the place of the old. Doing it twice is doing it once. */
    public TabletState in(TabletState state) {
        List<FileReference> files = new ArrayList<>(state.getFiles());
        files.removeAll(replaced);
        files.removeAll(written);
        files.addAll(0, written);
        return TabletState.newBuilder(state)
                .setFiles(files)
                .setOldestReadableSequence(Math.max(state.getOldestReadableSequence(), oldestReadable))
                .build();
    }
}
